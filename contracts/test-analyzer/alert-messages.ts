import { z } from "@hono/zod-openapi";
import { moment } from "../kit/endpoint.ts";
import { seenFrom } from "../test-executioner/histories.ts";
import { alertKinds } from "./alert-deliveries.ts";
import { severity } from "./alert-rules.ts";
import { incidentCause } from "./incidents.ts";
import { recovery } from "./recoveries.ts";
import { countedAs } from "./service-levels.ts";

const alertTest = z.object({
  name: z.string(),
  method: z.string().describe("In lower case, e.g. `get`."),
  path: z.string().describe("Path of the operation, e.g. `/books/{bookId}`."),
  apiName: z.string(),
  testCircleName: z.string().nullable().describe("The circle it failed in; null outside circles."),
  environment: z.string().nullable().describe("Environment or base URL in use; null: the API's own base URL."),
  reason: z.string().nullable().describe("Expected and actual result; secrets replaced."),
});
export type AlertTest = z.infer<typeof alertTest>;

export const alertIncident = z.object({
  id: z.uuid().describe("The same in all messages about this incident."),
  title: z.string(),
  severity,
  cause: incidentCause,
  causeKey: z.string().optional().describe("The same for all incidents with this cause."),
  unsteady: z.boolean().describe("Verdicts keep changing: it remains unstable until five passing results in a row."),
  since: moment.describe("The first failing result."),
  resolvedAt: moment.nullable().describe("Null while it is ongoing."),
  reason: z.string().nullable().describe("Expected and actual result of the newest failure; secrets replaced."),
  places: z
    .array(seenFrom)
    .optional()
    .describe("Of tests from several places: which of them see the newest failure, and since when."),
  failing: z.number().int().describe("Number of tests it causes to fail."),
  tests: z.array(alertTest).describe("At most five of the failing tests."),
  runId: z.uuid().nullable().describe("Run of the newest failure; null with the causes `document` and `location`."),
  apiId: z.uuid().describe("API of the newest failure."),
  resolvedRun: z
    .object({ runId: z.uuid(), apiId: z.uuid() })
    .nullable()
    .optional()
    .describe("The run that resolved it; null while it is ongoing, or if a user or a deletion did."),
  recovery: recovery
    .omit({ nextRunAt: true })
    .nullable()
    .optional()
    .describe("Every test that it causes to fail has passed since, in a run that does not resolve it."),
});
export type AlertIncident = z.infer<typeof alertIncident>;

/** The message to a channel of any kind; the sender formats it for each kind. Contains no secret. */
export const alertMessage = z.object({
  kind: z.enum(alertKinds),
  title: z.string().describe("The message in one line."),
  at: moment,
  severity: severity.nullable().describe("The highest severity among the incidents; null without one."),
  incidents: z.array(alertIncident).describe("At most ten."),
  more: z.number().int().describe("Number of further incidents."),
  certificate: z
    .object({ host: z.string(), validTo: moment, daysLeft: z.number().int() })
    .optional()
    .describe("With `certificate.expiring`: the certificates and when they expire."),
  serviceLevel: z
    .object({
      testCircleId: z.uuid(),
      testCircleName: z.string(),
      apiId: z.uuid().nullable().describe("Of one of the circle's tests; null if they have none."),
      objective: z.number().describe("Required percentage of good results."),
      days: z.number().int().describe("Period in days."),
      counts: z.enum(countedAs),
      since: moment.describe("When its budget was found to burn fast."),
      endedAt: moment.nullable().describe("Null while it is ongoing."),
      burn: z
        .array(z.object({ hours: z.number().int(), rate: z.number().nullable() }))
        .describe("Over the last hours: 1 uses up the budget exactly within the period; null without results."),
      left: z.number().nullable().describe("Remaining share of the budget; below 0 when it is overdrawn."),
      exhaustedInMinutes: z.number().nullable().describe("When it is used up at this rate; null if it is not."),
    })
    .optional()
    .describe("With `service_level.burning` and `service_level.steady`: the service level."),
});
export type AlertMessage = z.infer<typeof alertMessage>;
