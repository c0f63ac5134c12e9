import type { HeldSubject } from "#contracts/kit/plan.ts";
import { Problem } from "#contracts/kit/problem.ts";

const many: Record<HeldSubject, string> = { apis: "APIs", tests: "tests", members: "members" };
const one: Record<HeldSubject, string> = { apis: "API", tests: "test", members: "member" };

const figure = (count: number) => count.toLocaleString("en");
const counted = (count: number, subject: HeldSubject) => `${figure(count)} ${(count === 1 ? one : many)[subject]}`;

/** Why something can't be created, and what would help. */
export function limitReached({ plan, subject, limit, used, wanted = 1 }: LimitReached, explained = ""): Problem {
  const left = Math.max(limit - used, 0);
  const fits =
    wanted === 1 ? "" : ` These are ${figure(wanted)}, and ${left === 0 ? "none fits" : `${figure(left)} more fit`}.`;
  const detail = `The ${plan} plan allows ${counted(limit, subject)}, and there ${used === 1 ? "is" : "are"} ${figure(used)}${explained}.${fits} Choose a larger plan on the billing page, or remove what you no longer need.`;
  return new Problem("plan_limit_reached", detail, { limit, used });
}

export interface LimitReached {
  plan: string;
  subject: HeldSubject;
  limit: number;
  used: number;
  /** How many were to be created. */
  wanted?: number;
}

/** Usage beyond a changed plan, in words: "3 APIs of 2, 120 tests of 50". */
export function exceededWords(exceeded: readonly { subject: HeldSubject; used: number; limit: number }[]): string {
  return exceeded.map(({ subject, used, limit }) => `${counted(used, subject)} of ${figure(limit)}`).join(", ");
}
