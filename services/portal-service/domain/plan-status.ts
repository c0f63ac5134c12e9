import type { PlanLimits, QuotaSubject } from "#contracts/kit/plan.ts";
import { type Entitling, entitledUntil, isEntitled } from "./subscription.ts";

export type Used = Record<QuotaSubject | "executionsPerMonth", number>;

const deferredSubjects = ["apis", "tests", "members"] as const satisfies QuotaSubject[];
export const nearSubjects = [...deferredSubjects, "executionsPerMonth"] as const;

/** The subjects whose usage exceeds the plan. */
export function exceededBy(limits: PlanLimits | undefined, used: Used) {
  return deferredSubjects.flatMap((subject) => {
    const limit = limits?.[subject] ?? null;
    return limit !== null && used[subject] > limit ? [{ subject, used: used[subject], limit }] : [];
  });
}

/** The share of a limit from which on it is near. */
const nearShare = 0.8;

export interface NearLimit {
  subject: keyof Used;
  /** The period of one notification: the month for executions, the plan for stored subjects. */
  period: string;
  used: number;
  limit: number;
}

/** A limit of one is never near: a single user reaches it on the first day. */
export const isNear = (used: number, limit: number): boolean => limit > 1 && used >= limit * nearShare;

/** The limits that are near. */
export function findNearLimits(
  limits: PlanLimits | undefined,
  used: Used,
  { month, planId }: { month: string; planId: string },
): NearLimit[] {
  return nearSubjects.flatMap((subject) => {
    const limit = limits?.[subject] ?? null;
    if (limit === null || !isNear(used[subject], limit)) return [];
    const period = subject === "executionsPerMonth" ? month : planId;
    return [{ subject, period, used: used[subject], limit }];
  });
}

/**
 * The plan that applies: the paid one, else the free one for a customer. The operator's organization without a
 * subscription has none, so nothing is limited.
 * @param subscriptions newest first
 * @returns its id, and when to check again
 */
export function planIdAt(
  { subscriptions, freeId, operates }: { subscriptions: OwnSubscription[]; freeId: string | null; operates: boolean },
  now: Date,
): { planId: string | null; until: Date | null } {
  const paid = subscriptions.find((subscription) => isEntitled(subscription, now));
  if (paid) return { planId: paid.serviceId, until: entitledUntil(paid) ?? null };
  return { planId: operates ? null : freeId, until: null };
}

export type OwnSubscription = Entitling & { serviceId: string };
