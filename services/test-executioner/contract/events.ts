import { z } from "@hono/zod-openapi";
import { event } from "../../kit/contract/event.ts";

/** Executions that count against a plan, those of one organization and month that ended together. */
export const executionsCounted = event(
  "executions.counted",
  z.object({
    /** As in `2026-04`, in UTC. */
    month: z.string().regex(/^\d{4}-\d{2}$/),
    executions: z.number().int().min(1),
  }),
);
export type ExecutionEvent = z.infer<typeof executionsCounted>;
