import { z } from "@hono/zod-openapi";
import { endpoint, identifier, listQuery, moment, pageSchema } from "../kit/endpoint.ts";
import { difference } from "./differences.ts";
import { operatedTag as tag } from "./operated-subscriptions.ts";

export const reconciliation = z
  .object({
    id: identifier,
    beganAt: moment,
    endedAt: moment.nullable().describe("Null while it is running."),
    begunBy: identifier.nullable().describe("Null for the daily one."),
    asked: z.number().int().describe("Subscriptions compared so far."),
    differing: z.number().int().describe("Number that differed."),
    failed: z.number().int().describe("Number for which the provider did not respond."),
  })
  .openapi("Reconciliation");
export type Reconciliation = z.infer<typeof reconciliation>;

export const reconciledDifference = z
  .object({
    subscriptionId: identifier,
    organization: z.object({
      id: identifier,
      name: z.string().nullable().describe("Null while security-service is unavailable.").openapi({ example: "Acme" }),
    }),
    at: moment,
    differences: z.array(difference).describe("Stored and reported values; the provider's replaced ours."),
    failure: z.string().nullable().describe("Why the comparison was not possible.").openapi({ example: null }),
  })
  .openapi("ReconciledDifference");
export type ReconciledDifference = z.infer<typeof reconciledDifference>;

const access = "system:manage" as const;
const path = "/api/v1/system/reconciliations";
const params = z.object({ reconciliationId: z.uuid() });

export const listReconciliations = endpoint({
  method: "get",
  path,
  access,
  tag,
  summary: "Reconciliations of all subscriptions with the provider, newest first",
  description: "Stored for 400 days.",
  query: listQuery.omit({ query: true }),
  status: 200,
  response: pageSchema(reconciliation),
});

export const createReconciliation = endpoint({
  method: "post",
  path,
  access,
  audit: "reconciliation",
  tag,
  summary: "Starts a reconciliation of all active subscriptions with the provider",
  description: "Runs in the background; returns the running one instead of starting a second.",
  status: 202,
  response: reconciliation,
  problems: { service_unavailable: "No payment provider is configured." },
});

export const getReconciliation = endpoint({
  method: "get",
  path: `${path}/{reconciliationId}`,
  access,
  tag,
  summary: "One reconciliation",
  description: "Differences are listed separately.",
  params,
  status: 200,
  response: reconciliation,
});

export const listReconciledDifferences = endpoint({
  method: "get",
  path: `${path}/{reconciliationId}/differences`,
  access,
  tag,
  summary: "Differences found by a reconciliation",
  description: "By subscription, in order of their creation.",
  params,
  query: listQuery.omit({ query: true }),
  status: 200,
  response: pageSchema(reconciledDifference),
});
