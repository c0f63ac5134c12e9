import { z } from "@hono/zod-openapi";
import { endpoint, scopes } from "./endpoint.ts";

const accessChange = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("session-ended"), sessionId: z.string() }),
  z.object({
    kind: z.literal("roles-changed"),
    userId: z.string(),
    organizationId: z.string(),
    roles: z.array(z.string()).nullable(),
    scopes: z.array(z.enum(scopes)),
    factorAtProvider: z.object({ roles: z.array(z.string()), scopes: z.array(z.enum(scopes)) }).optional(),
  }),
]);

/** Polled by every process to learn which sessions ended and whose roles changed. */
export const accessChangesContract = {
  listAccessChanges: endpoint({
    method: "get",
    path: "/internal/v1/access-changes",
    access: "internal",
    summary: "Sessions that ended and roles that changed in the last minutes",
    query: z.object({ since: z.string().regex(/^\d{1,20}$/) }),
    status: 200,
    response: z.object({ changes: z.array(accessChange), next: z.string() }),
  }),
};
