import * as counts from "./counts.ts";
import * as executions from "./executions.ts";
import { receiveEvent } from "./received-events.ts";
import { findVerifications } from "./recorded-verifications.ts";
import { reportRun } from "./reports.ts";
import * as runs from "./runs.ts";

export const testExecutionerContract = {
  startRun: runs.startRun,
  listRuns: runs.listRuns,
  getRun: runs.getRun,
  watchRun: runs.watchRun,
  cancelRun: runs.cancelRun,
  reportRun,
  runTest: executions.runTest,
  runTestsOfApi: executions.runTestsOfApi,
  watchApi: executions.watchApi,
  listExecutions: executions.listExecutions,
  listLatestExecutions: executions.listLatestExecutions,
  summarizeApis: executions.summarizeApis,
  getExecution: executions.getExecution,
  watchExecution: executions.watchExecution,
  cancelExecution: executions.cancelExecution,
  deleteExecutionsOfTest: executions.deleteExecutionsOfTest,
  deleteExecutionsOfApi: executions.deleteExecutionsOfApi,
  sendRequest: executions.sendRequest,
  countExecutions: counts.countExecutions,
  rankOperations: counts.rankOperations,
  listOperationVerdicts: counts.listOperationVerdicts,
  receiveEvent,
  findVerifications,
};
