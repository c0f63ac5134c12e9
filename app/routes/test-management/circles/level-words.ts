import type { MeasuredServiceLevel, ServiceLevel } from "#contracts/test-analyzer/service-levels.ts";
import { formatShare } from "~/features/trends/trend-words";
import type { Tone } from "~/ui/tone";

/** `99.5 % of results pass in 30 days` */
export function objectiveWords({
  objective,
  days,
  counts,
}: Pick<ServiceLevel, "objective" | "days" | "counts">): string {
  return `${objective} % of ${counts === "passRate" ? "results pass" : "responding to requests"} in ${days} days`;
}

export interface LevelWords {
  tone: Tone;
  /** The remaining budget, in a few words. */
  left: string;
}

/** Status of the budget: overdrawn, burning fast, or the remaining share. */
export function levelWords({ measured: { budget, isFast } }: Pick<MeasuredServiceLevel, "measured">): LevelWords {
  if (!budget) return { tone: "neutral", left: "Nothing ran yet" };
  if (budget.left <= 0) return { tone: "danger", left: "Budget used up" };
  return { tone: isFast ? "warning" : "success", left: `${formatShare(budget.left)} of budget left` };
}

/** `45 min`, `3.6 h`, `2.5 days` */
export function formatMinutes(minutes: number): string {
  if (minutes > 0 && minutes < 1) return `${Math.round(minutes * 60)} s`;
  if (minutes < 120) return `${Math.round(minutes)} min`;
  const hours = minutes / 60;
  return hours < 48 ? `${rounded(hours)} h` : `${rounded(hours / 24)} days`;
}

/** How many more results may be bad: a whole number. */
export function resultsLeft({ allowed, left }: NonNullable<MeasuredServiceLevel["measured"]["budget"]>): number {
  // Rounds up values just below a whole number: shares are inexact floating-point numbers.
  return Math.max(0, Math.floor(allowed * left + 1e-6));
}

/** `0`, `0.42`, `14.4` */
export function formatRate(rate: number | null): string {
  return rate === null ? "–" : String(rate < 10 ? Math.round(rate * 100) / 100 : rounded(rate));
}

function rounded(value: number): string {
  return String(Math.round(value * 10) / 10);
}
