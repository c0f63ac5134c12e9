import { z } from "@hono/zod-openapi";
import { event } from "../kit/event.ts";

const roles = z.array(z.string());

export const userCreated = event("user.created", z.object({ userId: z.uuid(), roles }));
export const userChanged = event("user.changed", z.object({ userId: z.uuid(), disabled: z.boolean() }));
export const userRolesChanged = event("user.roles-changed", z.object({ userId: z.uuid(), roles }));
/** Deleted with everything in it: each consumer deletes its data of the organization. */
export const organizationDeleted = event("organization.deleted", z.object({}));

export type SecurityEvent =
  | z.infer<typeof userCreated>
  | z.infer<typeof userChanged>
  | z.infer<typeof userRolesChanged>
  | z.infer<typeof organizationDeleted>;
