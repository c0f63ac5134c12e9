import type { TrendPoint, Trends } from "#contracts/test-analyzer/trends.ts";
import { href } from "~/href";
import { formatCount } from "~/ui/count/format-count";
import type { PlotStep } from "~/ui/plot/plot-steps";
import { formatMilliseconds } from "~/ui/plot/waterfall";
import type { StepMarks } from "./step-marks";
import { markWords } from "./step-marks";
import { spanWords, stepWords } from "./trend-words";

/** Subject of the trends; empty for the organization. */
export interface TrendScope {
  apiId?: string;
  testId?: string;
  testCircleId?: string;
}

/** Address of what ran in a time range. */
export function runsAddress({ apiId, testId, testCircleId }: TrendScope, span: { from: string; to?: string }) {
  if (!apiId) return href("/test-management/runs", { ...span });
  if (testId) return href("/test-management/:apiId/tests/:testId/executions/list", { apiId, testId }, span);
  if (testCircleId) {
    return href("/test-management/:apiId/test-circles/:testCircleId/executions/list", { apiId, testCircleId }, span);
  }
  return href("/test-management/:apiId/runs", { apiId }, span);
}

/** `20 passed, 1 failed, median 12 ms` */
export function pointWords({ executions, passed, flaky, errored, failed, p50 }: TrendPoint): string {
  if (executions === 0) return "nothing ran";
  const counts = Object.entries({ passed, flaky, errored, failed }).filter(([, count]) => count > 0);
  const words = counts.map(([verdict, count]) => `${formatCount(count)} ${verdict}`);
  return [...words, ...(p50 === null ? [] : [`median ${formatMilliseconds(p50)}`])].join(", ");
}

/** The steps of all plots of these trends, each with its values in a sentence and a link to its runs. */
export function trendSteps(
  { points, range, timeZone, windows }: Trends,
  { scope, marked }: { scope: TrendScope; marked: readonly StepMarks[] },
): PlotStep[] {
  return points.map((point, index) => {
    const { from } = point;
    const to = points[index + 1]?.from;
    const label = spanWords(from, to, range, timeZone);
    const marks = marked.find((step) => step.index === index)?.marks ?? [];
    const open = (windows ?? []).filter((window) => window.to > from && (!to || window.from < to));
    const names = [...marks.map(markWords), ...new Set(open.map(({ name }) => `Maintenance: ${name}`))];
    return {
      ...{ key: from, label, tick: stepWords(from, range, timeZone).tick },
      said: [`${label}: ${pointWords(point)}`, ...names].join("; "),
      href: point.executions > 0 ? runsAddress(scope, { from, to }) : undefined,
    };
  });
}
