import { z } from "@hono/zod-openapi";
import { displayName } from "../kit/display-name.ts";
import { endpoint, identifier, listQuery, moment, pageSchema, type Tag } from "../kit/endpoint.ts";
import { entityTag, idempotencyKey, ifMatch } from "../kit/headers.ts";
import { orNone } from "../kit/or-none.ts";
import { timeZone } from "../kit/time-zone.ts";

const tag: Tag = {
  name: "Maintenance windows",
  description: "Periods in which schedules start nothing: each skipped time is recorded with the window's name.",
};

export const windowTimes = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("once"),
    from: moment,
    to: moment.openapi({ example: "2026-04-17T11:30:00.000Z" }),
  }),
  z.object({
    kind: z.literal("repeating"),
    cron: z.string().trim().min(1, "Enter when it begins, e.g. 0 2 * * 6").max(200).openapi({ example: "0 2 * * 6" }),
    timeZone,
    durationMinutes: z
      .number()
      .int()
      .min(1, "At least a minute")
      .max(31 * 1_440, "At most 31 days")
      .openapi({ example: 120 }),
  }),
]);

const windowFields = {
  name: displayName(z.string().trim().min(1, "Give the window a name").max(300)).openapi({
    example: "Weekly deployment",
  }),
  apiId: orNone(z.uuid()).describe("For circles with a member of this API."),
  testCircleId: orNone(z.uuid()).describe("For this circle. Without both, for all schedules."),
  times: windowTimes,
};

export const maintenanceWindowInput = z.object(windowFields).openapi("MaintenanceWindowInput");
export type MaintenanceWindowInput = z.infer<typeof maintenanceWindowInput>;

export const maintenanceWindow = z
  .object({
    id: identifier,
    ...windowFields,
    testCircleName: z.string().nullable().describe("Null if it is not for a circle."),
    next: z
      .object({ from: moment, to: moment, isOn: z.boolean() })
      .nullable()
      .describe("The current or next time; null when it is over."),
    version: z.number().int().describe("Incremented with every change; sent as ETag and required by If-Match."),
    createdAt: moment,
    updatedAt: moment,
  })
  .openapi("MaintenanceWindow");
export type MaintenanceWindow = z.infer<typeof maintenanceWindow>;

const windowParams = z.object({ maintenanceWindowId: z.uuid() });
const stale = "Another user saved since the version in `If-Match`.";

export const listMaintenanceWindows = endpoint({
  method: "get",
  path: "/api/v1/maintenance-windows",
  access: "tests:read",
  tag,
  summary: "Maintenance windows, newest first",
  description: "Includes those that are over. `query` searches names.",
  query: listQuery.extend({ testCircleId: z.uuid().optional().describe("Only those of this circle") }),
  status: 200,
  response: pageSchema(maintenanceWindow),
});

export const windowTime = z
  .object({
    maintenanceWindowId: z.uuid(),
    name: z.string().openapi({ example: "Weekly deployment" }),
    apiId: z.uuid().nullable().describe("The API it is for, if it is for one."),
    testCircleId: z.uuid().nullable().describe("The circle it is for, if it is for one."),
    from: moment,
    to: moment.openapi({ example: "2026-04-17T11:30:00.000Z" }),
  })
  .openapi("MaintenanceWindowTime");
export type WindowTime = z.infer<typeof windowTime>;

export const listMaintenanceWindowTimes = endpoint({
  method: "get",
  path: "/api/v1/maintenance-window-times",
  access: "tests:read",
  tag,
  summary: "When maintenance windows are open in a time range",
  description:
    "By their start, at most 500, as the windows are configured now; never before a window was created. A window that opens more than 100 times in the range is omitted. For an API, a test's API or a circle: only the windows that apply to it. Without either: the windows of the whole organization.",
  query: z.object({
    from: moment.describe("At most 100 days before `to`"),
    to: moment.describe("The end of the range, not included").openapi({ example: "2026-04-24T09:30:00.000Z" }),
    apiId: z.uuid().optional().describe("Windows of this API, and of all schedules"),
    testCircleId: z.uuid().optional().describe("Windows of this circle, of its APIs, and of all schedules"),
    every: z.enum(["true"]).optional().describe("Windows of all APIs and circles too"),
  }),
  status: 200,
  response: z.object({ items: z.array(windowTime) }).openapi("MaintenanceWindowTimes"),
  problems: { not_found: "No such circle." },
});

export const previewMaintenanceWindow = endpoint({
  method: "post",
  path: "/api/v1/maintenance-windows/preview",
  access: "tests:read",
  audit: { nothingBecause: "Nothing is stored" },
  tag,
  summary: "Preview of a maintenance window",
  description: "The next five times, including the current one. Stores nothing.",
  body: z.object({ times: windowTimes }),
  status: 200,
  response: z.object({ items: z.array(z.object({ from: moment, to: moment })) }).openapi("MaintenanceWindowPreview"),
});

export const createMaintenanceWindow = endpoint({
  method: "post",
  path: "/api/v1/maintenance-windows",
  access: "tests:write",
  audit: "maintenance window",
  tag,
  summary: "Creates a maintenance window",
  description: "For the organization, an API or a circle; once or recurring.",
  body: maintenanceWindowInput,
  status: 201,
  response: maintenanceWindow,
  responseHeaders: [entityTag],
  locationPath: "/api/v1/maintenance-windows/{id}",
  headers: [idempotencyKey],
  problems: { conflict: "The `Idempotency-Key` was used for another window, or for one that was deleted." },
});

export const getMaintenanceWindow = endpoint({
  method: "get",
  path: "/api/v1/maintenance-windows/{maintenanceWindowId}",
  access: "tests:read",
  tag,
  summary: "One maintenance window",
  description: "Its ETag is for `If-Match`.",
  params: windowParams,
  status: 200,
  response: maintenanceWindow,
  responseHeaders: [entityTag],
});

export const changeMaintenanceWindow = endpoint({
  method: "put",
  path: "/api/v1/maintenance-windows/{maintenanceWindowId}",
  access: "tests:write",
  audit: "maintenance window",
  tag,
  summary: "Changes a maintenance window",
  description: "Replaces the whole window and increments its version.",
  params: windowParams,
  body: maintenanceWindowInput,
  status: 200,
  response: maintenanceWindow,
  headers: [ifMatch],
  responseHeaders: [entityTag],
  problems: { stale_version: stale },
});

export const deleteMaintenanceWindow = endpoint({
  method: "delete",
  path: "/api/v1/maintenance-windows/{maintenanceWindowId}",
  access: "tests:write",
  audit: "maintenance window",
  tag,
  summary: "Deletes a maintenance window",
  description: "Schedules resume immediately.",
  params: windowParams,
  status: 204,
  headers: [ifMatch],
  problems: { stale_version: stale },
});
