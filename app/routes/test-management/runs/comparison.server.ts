import type { RunSource } from "#contracts/test-executioner/runs.ts";
import { plural } from "~/ui/count/plural";

/** Filters of the list to choose another run from; undefined where there are none. */
export function comparableRuns(source: RunSource) {
  switch (source.kind) {
    case "test":
      return { testId: source.testId };
    case "api":
      return { apiId: source.apiId };
    case "circle":
      return { testCircleId: source.testCircleId };
    case "rerun":
      return source.circle && { testCircleId: source.circle.testCircleId };
    case "tests":
      return undefined;
  }
}

interface Counts {
  verdict: number;
  statusCode: number;
  added: number;
  gone: number;
}

/** "2 verdicts and 1 status code changed, 1 execution new." */
export function countsInWords({ verdict, statusCode, added, gone }: Counts): string {
  const changed = [verdict > 0 && plural(verdict, "verdict"), statusCode > 0 && plural(statusCode, "status code")];
  const words = changed.filter(Boolean).join(" and ");
  const parts = [
    words ? `${words} changed` : "No verdicts or status codes changed",
    added > 0 && `${plural(added, "execution")} new`,
    gone > 0 && `${plural(gone, "execution")} gone`,
  ];
  return `${parts.filter(Boolean).join(", ")}.`;
}
