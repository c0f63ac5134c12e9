import type { Mark } from "#contracts/test-analyzer/marks.ts";
import type { PlotMark } from "~/ui/plot/plot-marks";

/** "Deployment: Bookshop 2.4.0" */
export function markWords({ kind, name }: Pick<Mark, "kind" | "name">): string {
  if (kind === "deployment") return `Deployment: ${name}`;
  return kind === "document" ? `New document version: ${name}` : `Edited test: ${name}`;
}

/** Marks numbered by their step, for plots and for the list that explains the numbers. */
export function marksOfSteps(marks: readonly Mark[], points: readonly { from: string }[]) {
  const steps = new Map<number, Mark[]>();
  for (const mark of marks) {
    const index = points.findLastIndex(({ from }) => Date.parse(from) <= Date.parse(mark.at));
    if (index >= 0) steps.set(index, [...(steps.get(index) ?? []), mark]);
  }
  return [...steps]
    .sort(([one], [other]) => one - other)
    .map(([index, ofStep], number) => ({ index, label: String(number + 1), marks: ofStep }));
}
export type StepMarks = ReturnType<typeof marksOfSteps>[number];

export function plotMarks(steps: readonly StepMarks[]): PlotMark[] {
  return steps.map(({ index, label, marks }) => ({ index, label, names: marks.map(markWords) }));
}
