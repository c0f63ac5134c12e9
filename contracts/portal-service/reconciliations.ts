import { z } from "@hono/zod-openapi";
import { endpoint, identifier, listQuery, moment, pageOf } from "../kit/endpoint.ts";
import { difference } from "./differences.ts";
import { operatedTag as tag } from "./operated-subscriptions.ts";

export const reconciliation = z
  .object({
    id: identifier,
    beganAt: moment,
    endedAt: moment.nullable().describe("Null while it is under way."),
    begunBy: identifier.nullable().describe("Null for the daily one."),
    asked: z.number().int().describe("Subscriptions that the provider was asked about so far."),
    differing: z.number().int().describe("How many of them were otherwise there."),
    failed: z.number().int().describe("About how many no answer could be had."),
  })
  .openapi("Reconciliation");
export type Reconciliation = z.infer<typeof reconciliation>;

export const reconciledDifference = z
  .object({
    subscriptionId: identifier,
    organization: z.object({
      id: identifier,
      name: z.string().nullable().describe("Null while security-service does not answer.").openapi({ example: "Acme" }),
    }),
    at: moment,
    differences: z.array(difference).describe("What was known, and what the provider said; that counts since."),
    failure: z.string().nullable().describe("Why nothing could be compared.").openapi({ example: null }),
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
  summary: "When all subscriptions were compared with the provider's, newest first",
  description: "Kept for 400 days.",
  query: listQuery.omit({ query: true }),
  status: 200,
  answer: pageOf(reconciliation),
});

export const createReconciliation = endpoint({
  method: "post",
  path,
  access,
  audit: "reconciliation",
  tag,
  summary: "Compares all subscriptions that are not over with the provider's, now",
  description: "In the background; one that is under way is answered instead of a second one.",
  status: 202,
  answer: reconciliation,
  problems: { service_unavailable: "No payment provider is configured." },
});

export const getReconciliation = endpoint({
  method: "get",
  path: `${path}/{reconciliationId}`,
  access,
  tag,
  summary: "One comparison of all subscriptions",
  description: "What was otherwise is listed apart.",
  params,
  status: 200,
  answer: reconciliation,
});

export const listReconciledDifferences = endpoint({
  method: "get",
  path: `${path}/{reconciliationId}/differences`,
  access,
  tag,
  summary: "What was otherwise at the provider than known",
  description: "By subscription, in the order in which they were made.",
  params,
  query: listQuery.omit({ query: true }),
  status: 200,
  answer: pageOf(reconciledDifference),
});
