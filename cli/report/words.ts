import type { RunCounts } from "#contracts/test-executioner/runs.ts";

/** "1 test", "2 tests" */
export const countOf = (count: number, one: string) => `${count.toLocaleString("en")} ${one}${count === 1 ? "" : "s"}`;

export function toDuration(milliseconds: number): string {
  if (milliseconds < 1_000) return `${Math.round(milliseconds)} ms`;
  const seconds = milliseconds / 1_000;
  return seconds < 60 ? `${seconds.toFixed(1)} s` : `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}

/** "12 passed, 1 failed, 2 not run" */
export function describeCounts(counts: RunCounts): string {
  const { passed, flaky, failed, errored, blocked, skipped, cancelled, regional = 0 } = counts;
  const parts: [number, string][] = [
    [passed, "passed"],
    [flaky, "flaky"],
    [failed, "failed"],
    [errored, "not judged"],
    [blocked, "blocked"],
    [regional, "regional"],
    [skipped + cancelled, "not run"],
  ];
  const said = parts.filter(([count]) => count > 0).map(([count, word]) => `${count.toLocaleString("en")} ${word}`);
  return said.join(", ") || "Nothing was run";
}
