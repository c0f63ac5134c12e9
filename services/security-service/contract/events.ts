import { z } from "@hono/zod-openapi";
import { event } from "../../kit/contract/event.ts";

const roles = z.array(z.string());

export const userCreated = event("user.created", z.object({ userId: z.uuid(), roles }));
export const userChanged = event("user.changed", z.object({ userId: z.uuid(), disabled: z.boolean() }));
export const userRolesChanged = event("user.roles-changed", z.object({ userId: z.uuid(), roles }));

export type SecurityEvent =
  | z.infer<typeof userCreated>
  | z.infer<typeof userChanged>
  | z.infer<typeof userRolesChanged>;
