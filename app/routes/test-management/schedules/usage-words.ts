import { formatCount } from "~/ui/count/format-count";
import { plural } from "~/ui/count/plural";
import type { DisplayedPreview } from "./schedule-form.server";

/** `72%`. */
function shareWords(share: number): string {
  if (share > 0 && share < 0.01) return "less than 1%";
  return `${Math.round(share * 100)}%`;
}

/** A schedule's runs, and its share of the executions of the plan. */
export function usageWords({ runsPerMonth, usage }: Pick<DisplayedPreview, "runsPerMonth" | "usage">): string {
  const runs = `${plural(runsPerMonth, "run")} in the next 30 days`;
  if (!usage) return `${runs}.`;
  const { executionsPerMonth, limit } = usage;
  const executions = `${runs}: ${plural(executionsPerMonth, "execution")} a month`;
  if (limit == null) return `${executions}.`;
  if (executionsPerMonth > limit)
    return `${executions}, more than the ${formatCount(limit)} of your plan. Once they are used, runs are skipped.`;
  const share = executionsPerMonth === 0 ? 0 : executionsPerMonth / limit;
  return `${executions}, ${shareWords(share)} of the ${formatCount(limit)} in your plan.`;
}
