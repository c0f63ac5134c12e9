import { z } from "@hono/zod-openapi";
import { endpoint, identifier, listQuery, moment, pageSchema, type Tag } from "./endpoint.ts";

const tag: Tag = { name: "Audit", description: "Who changed what, and when." };

export const auditRecord = z
  .object({
    id: identifier,
    organizationId: identifier,
    recordedAt: moment,
    actor: z
      .object({
        kind: z.enum(["user", "service", "visitor"]),
        id: z.string().nullable().openapi({ example: null }),
        name: z.string().openapi({ example: "ada" }),
      })
      .openapi("Actor"),
    clientAddress: z
      .string()
      .nullable()
      .describe("Null when the actor was not authenticated.")
      .openapi({ example: "203.0.113.9" }),
    requestId: z.string().describe("As written to the logs."),
    operation: z.string().describe("Operation id of the call.").openapi({ example: "changeUser" }),
    resource: z.object({ kind: z.string().openapi({ example: "user" }), id: z.string() }),
    before: z.unknown().nullable().describe("Null for a creation. Without secrets.").openapi({ example: null }),
    after: z
      .unknown()
      .nullable()
      .describe("Null for a deletion.")
      .openapi({ example: { disabled: true } }),
  })
  .openapi("AuditRecord");
export type AuditRecord = z.infer<typeof auditRecord>;

const auditBreak = z
  .object({
    kind: z
      .enum(["removed", "changed", "cut", "added"])
      .describe(
        "`removed`: the record is missing. `changed`: its content differs. `cut`: a link is missing or differs. `added`: the record is in no chain.",
      ),
    position: z.int().nullable().describe("Position in the chain, from 1; null when the record is in none"),
    recordId: z.uuid().nullable().describe("Null when nothing remains to identify the record"),
    recordedAt: moment.nullable(),
  })
  .openapi("AuditBreak");
export type AuditBreak = z.infer<typeof auditBreak>;

/** Calls of every service that read its own audit records. */
export const auditContract = {
  listAuditRecords: endpoint({
    method: "get",
    path: "/api/v1/audit-records",
    access: "users:manage",
    tag,
    summary: "What was changed in this service, newest first",
    description:
      "Ids grow with time across all services, so lists of several services can be merged with `beforeId`. `query` matches the beginnings of words in the actor's name, the operation, the resource's id, and its names before and after the change.",
    query: listQuery.extend({
      beforeId: z.uuid().optional().describe("Only records before this one, which may be another service's."),
      kind: z.string().max(100).optional().describe("Only changes of this kind of resource."),
      operation: z.string().max(100).optional().describe("Only changes made by this call."),
      since: moment.optional().describe("Only records from this time on."),
      until: moment.optional().describe("Only records before this time."),
      everywhere: z
        .enum(["true"])
        .optional()
        .describe("All organizations instead of the caller's; requires `system:manage`."),
    }),
    status: 200,
    response: pageSchema(auditRecord),
  }),
  checkAuditChain: endpoint({
    method: "get",
    path: "/api/v1/audit-chain",
    access: "users:manage",
    tag,
    summary: "Verifies this service's audit records",
    description:
      "Each organization's records form a hash chain, verified from end to end: `breaks` is empty when no record was removed, changed or inserted. A copy of `hash` stored elsewhere proves later that the chain was not rebuilt.",
    timeoutSeconds: 60,
    status: 200,
    response: z.object({
      length: z.int().describe("Number of records ever written").openapi({ example: 1204 }),
      hash: z.string().describe("Hash of the newest link, in hexadecimal; empty for an empty chain").openapi({
        example: "9f3c1d7a5f2b61d0e41c0b7a9f3c1d7a5f2b61d0e41c0b7a9f3c1d7a5f2b61d0",
      }),
      breaks: z.array(auditBreak).describe("The first 50"),
    }),
  }),
};
