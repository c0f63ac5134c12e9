import type { PlanLimits, QuotaSubject } from "#contracts/kit/plan.ts";
import { type Entitling, entitledUntil, isEntitled } from "./subscription.ts";

export type Used = Record<QuotaSubject | "executionsPerMonth", number>;

const heldSubjects = ["apis", "tests", "members"] as const satisfies QuotaSubject[];
export const nearSubjects = [...heldSubjects, "executionsPerMonth"] as const;

/** Of what more is there than the plan allows. */
export function exceededBy(limits: PlanLimits | undefined, used: Used) {
  return heldSubjects.flatMap((subject) => {
    const limit = limits?.[subject] ?? null;
    return limit !== null && used[subject] > limit ? [{ subject, used: used[subject], limit }] : [];
  });
}

/** A share of a limit from which on it is near. */
const nearShare = 0.8;

export interface NearLimit {
  subject: keyof Used;
  /** In which it is told once: the month of executions, the plan of what stays. */
  period: string;
  used: number;
  limit: number;
}

/** A limit of one tells nobody anything: who is alone uses it whole from the first day on. */
export const isNear = (used: number, limit: number): boolean => limit > 1 && used >= limit * nearShare;

/** Which limits are near. */
export function nearOf(
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
 * Which plan counts: what is paid for; else the free one, of which everybody is who is a customer. Whoever operates the
 * installation and pays for nothing has none, which limits nothing.
 * @param subscriptions newest first
 * @returns its id, and when to look again
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
