import { exactTargets } from "#contracts/test-registry/exact-targets.ts";
import { writeJsonTexts } from "#libraries/json/json-texts.ts";
import type { WriteReport } from "./reported-run.ts";

/** Everything known about a run: its summary and each execution with its attempts. */
export const writeJsonReport: WriteReport = async function* (run, executions) {
  yield `{"run":${JSON.stringify(run)},"executions":[`;
  let separator = "\n";
  for await (const execution of executions) {
    yield separator + writeJsonTexts(execution, exactTargets);
    separator = ",\n";
  }
  yield "\n]}\n";
};
