import type { z } from "@hono/zod-openapi";
import { event } from "../kit/event.ts";
import { planStatus } from "../kit/plan.ts";

/** An organization's plan, its limits or its exceeded quotas changed. */
export const planChanged = event("plan.changed", planStatus);

export type PortalEvent = z.infer<typeof planChanged>;
