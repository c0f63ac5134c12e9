import { z } from "@hono/zod-openapi";
import { displayName } from "../kit/display-name.ts";
import { endpoint, identifier, listQuery, moment, pageSchema, type Tag } from "../kit/endpoint.ts";
import { entityTag, ifMatch } from "../kit/headers.ts";
import { orNone } from "../kit/or-none.ts";
import { timeZone } from "../kit/time-zone.ts";

const tag: Tag = {
  name: "Alert rules",
  description:
    "When a failure becomes an incident, and which channels are notified. The rule of a circle takes precedence over that of an API, which takes precedence over the organization's.",
};

export const severities = ["low", "medium", "high", "critical"] as const;
export const severity = z.enum(severities);
export type Severity = z.infer<typeof severity>;

export const alertScope = z
  .discriminatedUnion("kind", [
    z.object({ kind: z.literal("organization") }),
    z.object({ kind: z.literal("api"), apiId: z.uuid() }),
    z.object({ kind: z.literal("circle"), testCircleId: z.uuid() }),
  ])
  .openapi("AlertScope");
export type AlertScope = z.infer<typeof alertScope>;

const timeOfDay = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, "Enter a time, e.g. 22:00")
  .openapi({ example: "22:00" });

export const quietHours = z.object({
  from: timeOfDay,
  to: timeOfDay.describe("Earlier than `from`, it is on the next day.").openapi({ example: "07:00" }),
  timeZone,
});
export type QuietHours = z.infer<typeof quietHours>;

/** The content of a rule, without its channels. Omitted fields have the defaults that apply without a rule. */
export const alertPolicy = z.object({
  afterRuns: orNone(z.number().int().min(1, "At least one run").max(10, "At most 10 runs")).describe(
    "A test that fails in this many consecutive runs is an incident. Omitted: 1, or where `afterMinutes` is given, only that applies.",
  ),
  afterMinutes: orNone(z.number().int().min(1, "At least a minute").max(10_080, "At most a week")).describe(
    "Or a test that has been failing for this long, if that is sooner.",
  ),
  onRecovery: z.boolean().default(true).describe("Whether a recovery is also notified."),
  onBurn: z
    .boolean()
    .default(true)
    .describe("Whether to notify when the error budget of a circle's service level starts and stops burning fast."),
  remindHours: orNone(z.number().int().min(1, "At least an hour").max(168, "At most a week")).describe(
    "Interval of reminders, until the incident is acknowledged, muted or resolved.",
  ),
  quietHours: orNone(quietHours).describe("Alerts that are not critical are deferred until they end."),
  severity: severity.default("high"),
  severities: z
    .array(z.object({ tag: displayName(z.string().trim().min(1).max(60)), severity }))
    .max(50)
    .default([])
    .describe("For tests with a tag. If several match, the highest severity applies."),
});
export type AlertPolicy = z.infer<typeof alertPolicy>;

const channelIds = z.array(z.uuid()).max(20, "At most 20 channels").default([]).describe("Channels to notify.");

export const alertRuleInput = alertPolicy.extend({ scope: alertScope, channelIds }).openapi("AlertRuleInput");
export type AlertRuleInput = z.infer<typeof alertRuleInput>;

export const alertRule = alertPolicy
  .extend({
    id: identifier,
    scope: alertScope,
    channelIds,
    version: z.number().int().describe("Incremented with every change; sent as ETag and required by If-Match."),
    createdAt: moment,
    updatedAt: moment,
  })
  .openapi("AlertRule");
export type AlertRule = z.infer<typeof alertRule>;

const params = z.object({ ruleId: z.uuid() });
const stale = "Another user saved since the version in `If-Match`.";

export const listRules = endpoint({
  method: "get",
  path: "/api/v1/alert-rules",
  access: "tests:read",
  tag,
  summary: "Alert rules, oldest first",
  description: "At most one per scope. Without any, failures open incidents immediately and nothing is sent.",
  query: listQuery.omit({ query: true }).extend({
    kind: z.enum(["organization", "api", "circle"]).optional().describe("Only rules of this kind of scope"),
    apiId: z.uuid().optional().describe("Only the rule of this API"),
    testCircleId: z.uuid().optional().describe("Only the rule of this circle"),
    channelId: z.uuid().optional().describe("Only rules that notify this channel"),
    orOrganization: z
      .enum(["true", "false"])
      .optional()
      .describe("Includes the organization's rule, which applies where the others have none"),
  }),
  status: 200,
  response: pageSchema(alertRule),
});

export const createRule = endpoint({
  method: "post",
  path: "/api/v1/alert-rules",
  access: "tests:write",
  audit: "alert rule",
  tag,
  summary: "Creates an alert rule",
  description: "Applies from the next result on; open incidents remain open.",
  body: alertRuleInput,
  status: 201,
  response: alertRule,
  responseHeaders: [entityTag],
  locationPath: "/api/v1/alert-rules/{id}",
  problems: { conflict: "This scope has a rule already." },
});

export const getRule = endpoint({
  method: "get",
  path: "/api/v1/alert-rules/{ruleId}",
  access: "tests:read",
  tag,
  summary: "One alert rule",
  description: "Its ETag is for `If-Match`.",
  params,
  status: 200,
  response: alertRule,
  responseHeaders: [entityTag],
});

export const changeRule = endpoint({
  method: "put",
  path: "/api/v1/alert-rules/{ruleId}",
  access: "tests:write",
  audit: "alert rule",
  tag,
  summary: "Changes an alert rule",
  description: "Its scope can't be changed.",
  params,
  body: alertRuleInput,
  status: 200,
  response: alertRule,
  headers: [ifMatch],
  responseHeaders: [entityTag],
  problems: { stale_version: stale },
});

export const deleteRule = endpoint({
  method: "delete",
  path: "/api/v1/alert-rules/{ruleId}",
  access: "tests:write",
  audit: "alert rule",
  tag,
  summary: "Deletes an alert rule",
  description: "From then on, the rule of the next wider scope applies.",
  params,
  status: 204,
  headers: [ifMatch],
  problems: { stale_version: stale },
});
