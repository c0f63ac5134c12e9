import type { Tool } from "../tool.ts";
import { describeOperation, findApis, findOperations, validateDocument } from "./apis.ts";
import { explainIncident, listIncidents } from "./incidents.ts";
import { proposeTest } from "./propose-test.ts";
import { runTests } from "./run-tests.ts";
import { explainRun, listRuns } from "./runs.ts";
import { listTests, readTest } from "./tests.ts";

/** In the order in which an assistant usually needs them. */
export const tools: readonly Tool[] = [
  findApis,
  findOperations,
  describeOperation,
  listTests,
  readTest,
  listRuns,
  explainRun,
  listIncidents,
  explainIncident,
  validateDocument,
  runTests,
  proposeTest,
];
