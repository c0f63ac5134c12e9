import { z } from "@hono/zod-openapi";
import { moment } from "../kit/endpoint.ts";

export const updateKinds = ["opened", "changed", "resolved", "message"] as const;
export type UpdateKind = (typeof updateKinds)[number];

/** What happened on a status page, as everyone may read it. */
export const publishedUpdate = z.object({
  id: z.uuid(),
  at: moment,
  kind: z.enum(updateKinds).describe("`message`: the owner's announcement. The others are of an incident."),
  title: z.string(),
  text: z.string(),
});
export type PublishedUpdate = z.infer<typeof publishedUpdate>;
