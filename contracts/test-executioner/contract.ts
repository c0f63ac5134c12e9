import { auditContract } from "../kit/audit-records.ts";
import { systemContract } from "../kit/system.ts";
import * as agentPlans from "./agent-plans.ts";
import * as agentWork from "./agent-work.ts";
import * as agents from "./agents.ts";
import * as circleExecutions from "./circle-executions.ts";
import { listCircleStandings, listLatestCircleRuns } from "./circle-statuses.ts";
import { compareRun } from "./comparisons.ts";
import * as counts from "./counts.ts";
import * as credentialTries from "./credential-tries.ts";
import { compareExecution } from "./execution-comparisons.ts";
import * as executions from "./executions.ts";
import * as explorations from "./explorations.ts";
import { listFailingTests } from "./failing-tests.ts";
import { readHistories } from "./histories.ts";
import * as latestExecutions from "./latest-executions.ts";
import { describeLocationDeletion } from "./location-deletions.ts";
import * as locations from "./locations.ts";
import * as notices from "./notices.ts";
import * as occurrences from "./occurrences.ts";
import { receiveEvent } from "./received-events.ts";
import { findVerifications } from "./recorded-verifications.ts";
import { describeRepetition } from "./repetitions.ts";
import { reportExecution, reportRun } from "./reports.ts";
import * as requests from "./requests.ts";
import { listRunFailures } from "./run-failures.ts";
import { listRunPlaces } from "./run-places.ts";
import { startRun } from "./run-starts.ts";
import * as runs from "./runs.ts";
import { fenceSchedules } from "./schedule-fences.ts";
import { checkTarget } from "./system.ts";

export const testExecutionerContract = {
  startRun,
  listRuns: runs.listRuns,
  getRun: runs.getRun,
  watchRun: runs.watchRun,
  listRunFailures,
  listRunPlaces,
  cancelRun: runs.cancelRun,
  compareRun,
  describeRepetition,
  reportRun,
  runCircle: circleExecutions.runCircle,
  listExecutionsOfCircle: circleExecutions.listExecutionsOfCircle,
  listCircleExecutions: circleExecutions.listCircleExecutions,
  getCircleExecution: circleExecutions.getCircleExecution,
  watchCircleExecution: circleExecutions.watchCircleExecution,
  cancelCircleExecution: circleExecutions.cancelCircleExecution,
  reportCircleExecution: circleExecutions.reportCircleExecution,
  listCircleStandings,
  listLatestCircleRuns,
  runTest: executions.runTest,
  runTestsOfApi: executions.runTestsOfApi,
  watchApi: latestExecutions.watchApi,
  listExecutions: executions.listExecutions,
  listLatestExecutions: latestExecutions.listLatestExecutions,
  listLatestOfApi: latestExecutions.listLatestOfApi,
  summarizeApis: latestExecutions.summarizeApis,
  listApiRuns: latestExecutions.listApiRuns,
  listFailingTests,
  getTestNotices: notices.getTestNotices,
  listTestNotices: notices.listTestNotices,
  summarizeNotices: notices.summarizeNotices,
  judgeProposedTest: notices.judgeProposedTest,
  startExploration: explorations.startExploration,
  listExplorations: explorations.listExplorations,
  getExploration: explorations.getExploration,
  watchExploration: explorations.watchExploration,
  cancelExploration: explorations.cancelExploration,
  getExecution: executions.getExecution,
  compareExecution,
  watchExecution: executions.watchExecution,
  reportExecution,
  cancelExecution: executions.cancelExecution,
  deleteExecutionsOfTest: executions.deleteExecutionsOfTest,
  deleteExecutionsOfApi: executions.deleteExecutionsOfApi,
  sendRequest: requests.sendRequest,
  resolveRequest: requests.resolveRequest,
  tryCredential: credentialTries.tryCredential,
  countExecutions: counts.countExecutions,
  rankOperations: counts.rankOperations,
  countOutcomes: counts.countOutcomes,
  countSubjects: counts.countSubjects,
  countPlaces: counts.countPlaces,
  findResponseTimeShift: counts.findResponseTimeShift,
  listOperationVerdicts: counts.listOperationVerdicts,
  listLocations: locations.listLocations,
  createLocation: locations.createLocation,
  getLocation: locations.getLocation,
  changeLocation: locations.changeLocation,
  deleteLocation: locations.deleteLocation,
  describeLocationDeletion,
  createAgentCode: agents.createAgentCode,
  listAgents: agents.listAgents,
  getAgent: agents.getAgent,
  revokeAgent: agents.revokeAgent,
  registerAgent: agents.registerAgent,
  takeAgentWork: agentWork.takeAgentWork,
  reportAgentResults: agentWork.reportAgentResults,
  renewAgentLeases: agentWork.renewAgentLeases,
  takeAgentPlan: agentPlans.takeAgentPlan,
  reportAgentOccurrences: agentPlans.reportAgentOccurrences,
  listOccurrences: occurrences.listOccurrences,
  countOccurrences: occurrences.countOccurrences,
  recordOccurrences: occurrences.recordOccurrences,
  fenceSchedules,
  recount: counts.recount,
  checkTarget,
  listWaitingWork: systemContract.listWaitingWork,
  listAuditRecords: auditContract.listAuditRecords,
  checkAuditChain: auditContract.checkAuditChain,
  receiveEvent,
  findVerifications,
  readHistories,
};
