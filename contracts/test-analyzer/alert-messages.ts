import { z } from "@hono/zod-openapi";
import { moment } from "../kit/endpoint.ts";
import { alertKinds } from "./alert-deliveries.ts";
import { severity } from "./alert-rules.ts";
import { incidentCause } from "./incidents.ts";
import { countedAs } from "./service-levels.ts";

const toldTest = z.object({
  name: z.string(),
  method: z.string().describe("In small letters, as in `get`."),
  path: z.string().describe("Of the operation, as in `/books/{bookId}`."),
  apiName: z.string(),
  testCircleName: z.string().nullable().describe("The circle it failed in; null outside of circles."),
  environment: z.string().nullable().describe("Null: the API's own."),
  reason: z.string().nullable().describe("What was expected and what came; secrets replaced."),
});
export type ToldTest = z.infer<typeof toldTest>;

export const toldIncident = z.object({
  id: z.uuid().describe("The same in all that is told of this incident."),
  title: z.string(),
  severity,
  cause: incidentCause,
  unsteady: z.boolean().describe("Verdicts keep changing: it stays until five good results in a row."),
  since: moment.describe("The first result that failed."),
  resolvedAt: moment.nullable().describe("Null while it goes on."),
  reason: z.string().nullable().describe("What was expected and what came, of the newest failure; secrets replaced."),
  failing: z.number().int().describe("How many tests fail by it."),
  tests: z.array(toldTest).describe("At most five of those that fail by it."),
  runId: z.uuid().describe("Run of the newest failure."),
  apiId: z.uuid().describe("API of the newest failure."),
});
export type ToldIncident = z.infer<typeof toldIncident>;

/** What a channel is told, whatever its kind; written out for each kind where it is sent. Holds no secret. */
export const alertMessage = z.object({
  kind: z.enum(alertKinds),
  title: z.string().describe("What there is to know, in one line."),
  at: moment,
  severity: severity.nullable().describe("The most severe of what it is about; null where that is nothing."),
  incidents: z.array(toldIncident).describe("At most ten."),
  more: z.number().int().describe("How many other incidents it is about."),
  certificate: z
    .object({ host: z.string(), validTo: moment, daysLeft: z.number().int() })
    .optional()
    .describe("With `certificate.expiring`: which ends, and when."),
  serviceLevel: z
    .object({
      testCircleId: z.uuid(),
      testCircleName: z.string(),
      apiId: z.uuid().nullable().describe("Of one of its tests; null where it has none."),
      objective: z.number().describe("Per cent that are to be good."),
      days: z.number().int().describe("Over how many days."),
      counts: z.enum(countedAs),
      since: moment.describe("When its budget was found to burn fast."),
      endedAt: moment.nullable().describe("Null while it goes on."),
      burn: z
        .array(z.object({ hours: z.number().int(), rate: z.number().nullable() }))
        .describe("Of the last hours: 1 uses the budget up exactly in these days; null without results."),
      left: z.number().nullable().describe("Share of the budget that is left; below 0 once it is overdrawn."),
      exhaustedInMinutes: z.number().nullable().describe("When it is used up at this pace; null if not."),
    })
    .optional()
    .describe("With `service_level.burning` and `service_level.steady`: whose error budget."),
});
export type AlertMessage = z.infer<typeof alertMessage>;
