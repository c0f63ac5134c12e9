import type { WriteReport } from "./reported-run.ts";

/** Everything known about a run: its summary and each execution with its attempts. */
export const writeJsonReport: WriteReport = async function* (run, executions) {
  yield `{"run":${JSON.stringify(run)},"executions":[`;
  let separator = "\n";
  for await (const execution of executions) {
    yield separator + JSON.stringify(execution);
    separator = ",\n";
  }
  yield "\n]}\n";
};
