import { z } from "@hono/zod-openapi";
import { endpoint, moment } from "../kit/endpoint.ts";
import { orNone } from "../kit/or-none.ts";

export const upcomingSchedule = z.object({
  scheduleId: z.uuid(),
  scheduleName: orNone(z.string()),
  version: z.int(),
  testCircleId: z.uuid(),
  locationId: z.uuid().nullable().describe("Of its circle; null: it is sent from where its environments say."),
  apis: z
    .array(z.object({ apiId: z.uuid(), environment: z.string().nullable() }))
    .describe("APIs of its circle's members, with the environment that the circle chooses for each."),
  moments: z.array(moment).describe("Without those in maintenance windows."),
});
export type UpcomingSchedule = z.infer<typeof upcomingSchedule>;

export const listUpcomingOccurrences = endpoint({
  method: "get",
  path: "/internal/v1/upcoming-occurrences",
  access: "internal",
  summary: "Due times of the next 65 minutes, and of the last one, of circles that may be sent from a location",
  description:
    "Of enabled schedules that the plan allows, whose circle names the location, or no place at all; those that name it first, and then the earliest.",
  query: z.object({ locationId: z.uuid() }),
  status: 200,
  response: z.object({ items: z.array(upcomingSchedule).describe("At most 500.") }),
});
