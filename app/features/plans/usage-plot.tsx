import type { Usage, UsageSubject } from "#contracts/portal-service/usage.ts";
import { formatCount } from "~/ui/count/format-count";
import { LimitPlot, type LimitPlotBar } from "~/ui/plot/limit-plot";
import type { Tone } from "~/ui/tone";

export type UsageItem = Usage["items"][number];

const labels: Record<UsageSubject, string> = {
  apis: "APIs",
  tests: "Tests",
  executionsPerMonth: "Executions this month",
  members: "Members",
};

/** A limit of one is always fully used by a single user, which needs no warning. */
function getTone(used: number, limit: number | null): Tone | undefined {
  if (limit === null || limit === 1 || used < limit * 0.8) return undefined;
  return used >= limit ? "danger" : "warning";
}

/** The usage of each limit, as a plot with its numbers; an unlimited resource has a figure and no bar. */
export function UsagePlot({ items }: { items: readonly UsageItem[] }) {
  const bars = items.map(
    ({ subject, used, limit = null }): LimitPlotBar => ({
      ...{ key: subject, label: labels[subject], used, limit },
      tone: getTone(used, limit),
    }),
  );
  const reached = bars.filter(({ tone }) => tone === "danger").map(({ label }) => label);
  return (
    <LimitPlot
      id="usage"
      title="Used of each limit"
      description={reached.length > 0 ? `At the limit: ${reached.join(", ")}.` : "No limit reached."}
      titleHidden
      bars={bars}
      barsAre="Limit"
      formatValue={formatCount}
    />
  );
}
