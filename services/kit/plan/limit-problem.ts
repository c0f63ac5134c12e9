import type { QuotaSubject } from "#contracts/kit/plan.ts";
import { Problem } from "#contracts/kit/problem.ts";

const plurals: Record<QuotaSubject, string> = { apis: "APIs", tests: "tests", members: "members" };
const singulars: Record<QuotaSubject, string> = { apis: "API", tests: "test", members: "member" };

const formatNumber = (count: number) => count.toLocaleString("en");
const formatCount = (count: number, subject: QuotaSubject) =>
  `${formatNumber(count)} ${(count === 1 ? singulars : plurals)[subject]}`;

/** Why something can't be created, and what would help. */
export function limitReached({ plan, subject, limit, used, requested = 1 }: LimitReached, explained = ""): Problem {
  const remaining = Math.max(limit - used, 0);
  const fits =
    requested === 1
      ? ""
      : ` These are ${formatNumber(requested)}, and ${remaining === 0 ? "none fits" : `${formatNumber(remaining)} more fit`}.`;
  const detail = `The ${plan} plan allows ${formatCount(limit, subject)}, and there ${used === 1 ? "is" : "are"} ${formatNumber(used)}${explained}.${fits} Upgrade the plan on the billing page, or remove what you no longer need.`;
  return new Problem("plan_limit_reached", detail, { limit, used });
}

export interface LimitReached {
  plan: string;
  subject: QuotaSubject;
  limit: number;
  used: number;
  /** How many were to be created. */
  requested?: number;
}

/** Usage beyond a changed plan, in words: "3 APIs of 2, 120 tests of 50". */
export function describeExceeded(exceeded: readonly { subject: QuotaSubject; used: number; limit: number }[]): string {
  return exceeded
    .map(({ subject, used, limit }) => `${formatCount(used, subject)} of ${formatNumber(limit)}`)
    .join(", ");
}
