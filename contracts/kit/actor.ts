import { z } from "@hono/zod-openapi";

/** The user on whose behalf a service calls another one, as audit records name them. */
export const actor = z.object({ id: z.uuid(), name: z.string().max(500) });
export type Actor = z.infer<typeof actor>;
