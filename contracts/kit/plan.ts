import { z } from "@hono/zod-openapi";

/** null means without limit. */
export const planLimits = z.object({
  apis: z.number().int().nullable(),
  tests: z.number().int().nullable(),
  executionsPerMonth: z.number().int().nullable(),
  shortestIntervalSeconds: z.number().int(),
  members: z.number().int().nullable(),
  retentionDays: z.number().int(),
});
export type PlanLimits = z.infer<typeof planLimits>;

/** What is there, whatever the month. */
export const heldSubjects = ["apis", "tests", "members"] as const;
export type HeldSubject = (typeof heldSubjects)[number];

/** What an organization may do, as portal-service tells the services that hold it to it. */
export const planStanding = z.object({
  /** Counts up with every change: what is older than what is known changes nothing. */
  version: z.number().int(),
  /** null where nothing is limited. */
  plan: z.object({ name: z.string(), limits: planLimits }).nullable(),
  /** Of what more is there than the plan allows, since it was another one before. */
  exceeded: z.array(z.object({ subject: z.enum(heldSubjects), used: z.number().int(), limit: z.number().int() })),
});
export type PlanStanding = z.infer<typeof planStanding>;
