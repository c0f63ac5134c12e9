import type { ServicePricing } from "#contracts/portal-service/plans.ts";
import type { Usage, UsageSubject } from "#contracts/portal-service/usage.ts";
import { intervalWords } from "~/features/plans/plan-words";
import { formatCount } from "~/ui/count/format-count";

export interface TooMuch {
  key: UsageSubject | "schedules";
  label: string;
  /** Current use. */
  has: string;
  /** The plan's limit. */
  allowed: string;
  /** The consequence. */
  outcome: string;
}

export interface Interval {
  seconds: number;
  schedules: number;
}

const pause = "Schedules pause while there are more than the plan allows.";

const subjects: Record<UsageSubject, { label: string; outcome: string }> = {
  apis: { label: "APIs", outcome: `All of them stay readable, but you can't add more. ${pause}` },
  tests: { label: "Tests", outcome: `All of them stay readable, but you can't add more. ${pause}` },
  executionsPerMonth: { label: "Executions this month", outcome: "No more runs until next month." },
  members: { label: "Members", outcome: `All members are kept, but you can't invite more people. ${pause}` },
};

const getCount = (schedules: number) => `${formatCount(schedules)} ${schedules === 1 ? "schedule" : "schedules"}`;

/** The resources of an organization that exceed a plan, and the consequence. Nothing is ever deleted. */
export function findTooMuch(
  limits: ServicePricing["limits"],
  used: Usage["items"],
  intervals: readonly Interval[],
): TooMuch[] {
  const counted = used.flatMap(({ subject, used }): TooMuch[] => {
    const limit = limits[subject];
    if (limit === null || used <= limit) return [];
    return [{ key: subject, ...subjects[subject], has: formatCount(used), allowed: formatCount(limit) }];
  });
  const tooOften = intervals.filter(({ seconds }) => seconds < limits.shortestIntervalSeconds);
  if (tooOften.length === 0) return counted;
  return [
    ...counted,
    {
      key: "schedules",
      label: "Schedules",
      has: tooOften.map(({ seconds, schedules }) => `${getCount(schedules)} ${intervalWords(seconds)}`).join(", "),
      allowed: `${intervalWords(limits.shortestIntervalSeconds)} at most`,
      outcome: "They pause until the plan allows how often they start. Their settings are kept.",
    },
  ];
}
