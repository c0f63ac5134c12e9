import type { Verdict } from "#contracts/test-executioner/verdicts.ts";
import type { Family, Sample } from "../../kit/metrics/metrics.ts";

/** What is reported of a circle; times in seconds. */
export interface ReportedCircle {
  organizationId: string;
  testCircleId: string;
  name: string;
  verdict: Verdict | null;
  finishedAt: Date;
  durationSeconds: number;
  p95Seconds: number | null;
}

/** Finished runs by circle and verdict. */
export type RunTally = ReadonlyMap<string, ReadonlyMap<string, number>>;

const other = { organization: "other", circle: "other", circle_id: "other" };
const cancelled = "cancelled";

/**
 * Families with at most so many circles: the rest is summed as `other` where a sum says something.
 * @param circles in an order that new circles do not change
 */
export function writeCircleFamilies(circles: readonly ReportedCircle[], runs: RunTally, maxCircles: number): Family[] {
  const shown = circles.slice(0, maxCircles);
  const rest = circles.slice(maxCircles);
  const labels = ({ organizationId, name, testCircleId }: ReportedCircle) => ({
    organization: organizationId,
    circle: name,
    circle_id: testCircleId,
  });
  const each = (toValue: (circle: ReportedCircle) => number | null): Sample[] =>
    shown.flatMap((circle) => {
      const value = toValue(circle);
      return value === null ? [] : [{ labels: labels(circle), value }];
    });
  return [
    {
      name: "circle_last_run",
      type: "gauge",
      help: "1 for the verdict of a circle's newest finished run; of other circles, how many have it.",
      samples: [
        ...shown.map((circle) => ({ labels: { ...labels(circle), verdict: circle.verdict ?? cancelled }, value: 1 })),
        ...countBy(rest.map(({ verdict }) => verdict ?? cancelled)),
      ],
    },
    {
      name: "circle_last_run_timestamp_seconds",
      type: "gauge",
      help: "When a circle's newest finished run ended.",
      samples: each(({ finishedAt }) => finishedAt.getTime() / 1_000),
    },
    {
      name: "circle_last_run_duration_seconds",
      type: "gauge",
      help: "How long a circle's newest finished run took.",
      samples: each(({ durationSeconds }) => durationSeconds),
    },
    {
      name: "circle_response_time_p95_seconds",
      type: "gauge",
      help: "95 % of responses of today and yesterday (UTC) took at most this long.",
      samples: each(({ p95Seconds }) => p95Seconds),
    },
    {
      name: "circle_runs",
      type: "counter",
      help: "Runs of circles that this process ended, by verdict.",
      samples: writeRuns(shown, labels, runs),
    },
  ];
}

function countBy(verdicts: readonly string[]): Sample[] {
  const counts = new Map<string, number>();
  for (const verdict of verdicts) counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
  return [...counts].map(([verdict, value]) => ({ labels: { ...other, verdict }, value }));
}

function writeRuns(
  shown: readonly ReportedCircle[],
  labels: (circle: ReportedCircle) => Record<string, string>,
  runs: RunTally,
): Sample[] {
  const byId = new Map(shown.map((circle) => [circle.testCircleId, circle]));
  const sums = new Map<string, Sample>();
  for (const [testCircleId, verdicts] of runs) {
    const circle = byId.get(testCircleId);
    for (const [verdict, count] of verdicts) {
      const key = `${circle ? testCircleId : ""} ${verdict}`;
      const known = sums.get(key);
      if (known) known.value += count;
      else {
        const named = circle ? labels(circle) : other;
        sums.set(key, { suffix: "_total", labels: { ...named, verdict }, value: count });
      }
    }
  }
  return [...sums.values()];
}
