import type { PlanLimits, PlanStatus } from "#contracts/kit/plan.ts";

export const freeLimits: PlanLimits = {
  apis: 2,
  tests: 50,
  executionsPerMonth: 1_000,
  shortestIntervalSeconds: 3_600,
  members: 1,
  retentionDays: 7,
};

/** A plan with these limits and otherwise those of the free plan. */
export const planWith = (limits: Partial<PlanLimits>, version = 1): PlanStatus => ({
  version,
  plan: { name: "Free", limits: { ...freeLimits, ...limits } },
  exceeded: [],
});

/** An unlimited plan. */
export const noLimits: PlanStatus = { version: 1, plan: null, exceeded: [] };
