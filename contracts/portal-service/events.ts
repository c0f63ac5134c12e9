import type { z } from "@hono/zod-openapi";
import { event } from "../kit/event.ts";
import { planStanding } from "../kit/plan.ts";

/** An organization's plan, what that allows, or what is beyond it is another now. */
export const planChanged = event("plan.changed", planStanding);

export type PortalEvent = z.infer<typeof planChanged>;
