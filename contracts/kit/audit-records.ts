import { z } from "@hono/zod-openapi";
import { endpoint, identifier, listQuery, moment, pageOf, type Tag } from "./endpoint.ts";

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
      .describe("Null where nobody vouched for it.")
      .openapi({ example: "203.0.113.9" }),
    requestId: z.string().describe("As logs have it."),
    operation: z
      .string()
      .describe("The call, as the service's description names it.")
      .openapi({ example: "changeUser" }),
    resource: z.object({ kind: z.string().openapi({ example: "user" }), id: z.string() }),
    before: z.unknown().nullable().describe("Null where it came to be. Without secrets.").openapi({ example: null }),
    after: z
      .unknown()
      .nullable()
      .describe("Null where it went.")
      .openapi({ example: { disabled: true } }),
  })
  .openapi("AuditRecord");
export type AuditRecord = z.infer<typeof auditRecord>;

const auditBreak = z
  .object({
    kind: z
      .enum(["removed", "changed", "cut", "added"])
      .describe(
        "`removed`: the record is gone. `changed`: it says something else. `cut`: a link is gone or another one. `added`: the record is in no chain.",
      ),
    position: z.int().nullable().describe("Place in the chain, from 1; null where the record is in none"),
    recordId: z.uuid().nullable().describe("Null where nothing is left that says which"),
    recordedAt: moment.nullable(),
  })
  .openapi("AuditBreak");
export type AuditBreak = z.infer<typeof auditBreak>;

/** The calls of every service by which its audit records are read; each keeps those of its own changes. */
export const auditContract = {
  listAuditRecords: endpoint({
    method: "get",
    path: "/api/v1/audit-records",
    access: "users:manage",
    tag,
    summary: "What was changed in this service, newest first",
    description:
      "Ids grow with time in all services alike, so that with `beforeId` the lists of all make one. `query` finds the beginnings of words of the actor's name, of the operation and of the resource's id.",
    query: listQuery.extend({
      beforeId: z.uuid().optional().describe("Keeps what was recorded before this record, of whichever service."),
      kind: z.string().max(100).optional().describe("Keeps changes of this kind of resource."),
      operation: z.string().max(100).optional().describe("Keeps what this call changed."),
      since: moment.optional().describe("Keeps what was recorded from then on."),
      until: moment.optional().describe("Keeps what was recorded before then."),
      everywhere: z
        .enum(["true"])
        .optional()
        .describe("Of all organizations instead of one's own; needs `system:manage`."),
    }),
    status: 200,
    answer: pageOf(auditRecord),
  }),
  checkAuditChain: endpoint({
    method: "get",
    path: "/api/v1/audit-chain",
    access: "users:manage",
    tag,
    summary: "Whether this service's records are whole",
    description:
      "Each organization's records are a chain of hashes. Goes along all of it: `breaks` is empty where none was removed, changed or put in. Whoever keeps `hash` elsewhere can tell later that the chain was not made anew.",
    mayTakeSeconds: 60,
    status: 200,
    answer: z.object({
      length: z.int().describe("How many records there ever were").openapi({ example: 1204 }),
      hash: z.string().describe("Of the newest link, in hexadecimal; empty while there is none").openapi({
        example: "9f3c1d7a5f2b61d0e41c0b7a9f3c1d7a5f2b61d0e41c0b7a9f3c1d7a5f2b61d0",
      }),
      breaks: z.array(auditBreak).describe("The first 50"),
    }),
  }),
};
