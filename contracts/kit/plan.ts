import { z } from "@hono/zod-openapi";

/** null means unlimited. */
export const planLimits = z.object({
  apis: z.number().int().nullable(),
  tests: z.number().int().nullable(),
  executionsPerMonth: z.number().int().nullable(),
  shortestIntervalSeconds: z.number().int(),
  members: z.number().int().nullable(),
  retentionDays: z.number().int(),
});
export type PlanLimits = z.infer<typeof planLimits>;

/** Totals, as opposed to monthly counts. */
export const quotaSubjects = ["apis", "tests", "members"] as const;
export type QuotaSubject = (typeof quotaSubjects)[number];

/** What a plan allows an organization, as sent by portal-service to the services that enforce it. */
export const planStatus = z.object({
  /** Incremented with every change: an older version is ignored. */
  version: z.number().int(),
  /** null when nothing is limited. */
  plan: z.object({ name: z.string(), limits: planLimits }).nullable(),
  /** Quotas exceeded since a change to a smaller plan. */
  exceeded: z.array(z.object({ subject: z.enum(quotaSubjects), used: z.number().int(), limit: z.number().int() })),
});
export type PlanStatus = z.infer<typeof planStatus>;
