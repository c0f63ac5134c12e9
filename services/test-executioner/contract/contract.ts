import * as counts from "./counts.ts";
import * as executions from "./executions.ts";
import { receiveEvent } from "./received-events.ts";

export const testExecutionerContract = {
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
};
