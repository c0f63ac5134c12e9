import type { z } from "@hono/zod-openapi";
import { event } from "../kit/event.ts";
import { planStanding } from "../kit/plan.ts";

/** An organization's plan, its limits or its exceeded quotas changed. */
export const planChanged = event("plan.changed", planStanding);

export type PortalEvent = z.infer<typeof planChanged>;
