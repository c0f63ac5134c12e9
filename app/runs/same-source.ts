import type { CallInput } from "../../services/kit/client/client.ts";
import type { RunSource, startRun } from "../../services/test-executioner/contract/runs.ts";

/** Whether a run runs just what is asked for. A selection of several is never taken for another. */
export function isSameSource(source: RunSource, wanted: CallInput<typeof startRun>["body"]["source"]): boolean {
  if ("tests" in wanted) {
    return source.kind === "test" && wanted.tests.length === 1 && wanted.tests[0] === source.testId;
  }
  if ("apiId" in wanted) {
    return source.kind === "api" && source.apiId === wanted.apiId && source.include === (wanted.include ?? "safe");
  }
  return source.kind === "rerun" && source.runId === wanted.runId;
}
