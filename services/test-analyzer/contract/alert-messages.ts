import { z } from "@hono/zod-openapi";
import { moment } from "../../kit/contract/endpoint.ts";
import { alertKinds } from "./alert-deliveries.ts";
import { severity } from "./alert-rules.ts";
import { incidentCause } from "./incidents.ts";

const toldTest = z.object({
  name: z.string(),
  method: z.string(),
  path: z.string(),
  apiName: z.string(),
  testCircleName: z.string().nullable(),
  environment: z.string().nullable(),
  reason: z.string().nullable(),
});
export type ToldTest = z.infer<typeof toldTest>;

const toldIncident = z.object({
  id: z.uuid(),
  title: z.string(),
  severity,
  cause: incidentCause,
  unsteady: z.boolean(),
  since: moment,
  resolvedAt: moment.nullable(),
  reason: z.string().nullable(),
  failing: z.number().int(),
  /** At most five of those that fail by it. */
  tests: z.array(toldTest),
  /** Of the newest failure. */
  runId: z.uuid(),
  apiId: z.uuid(),
});
export type ToldIncident = z.infer<typeof toldIncident>;

/** What a channel is told, whatever its kind; written out for each kind where it is sent. Holds no secret. */
export const alertMessage = z.object({
  kind: z.enum(alertKinds),
  /** One line. */
  title: z.string(),
  at: moment,
  severity: severity.nullable(),
  /** At most ten; `more` says how many others it is about. */
  incidents: z.array(toldIncident),
  more: z.number().int(),
  certificate: z.object({ host: z.string(), validTo: moment, daysLeft: z.number().int() }).optional(),
});
export type AlertMessage = z.infer<typeof alertMessage>;
