import { codePartContract } from "../code/parts.ts";
import { auditContract } from "../kit/audit-records.ts";
import * as touchedTests from "./affected-tests.ts";
import * as calendars from "./calendars.ts";
import { inspectCircle } from "./circle-inspection.ts";
import * as circles from "./circles.ts";
import * as code from "./code.ts";
import { receiveEvent } from "./events.ts";
import * as files from "./files.ts";
import * as imports from "./imports.ts";
import { countLackingTests, listLackingValues } from "./lacking-tests.ts";
import * as windows from "./maintenance-windows.ts";
import { previewSchedule } from "./schedule-previews.ts";
import { listScheduledPlaces } from "./scheduled-places.ts";
import * as schedules from "./schedules.ts";
import { searchTests } from "./search.ts";
import { createTests } from "./test-batches.ts";
import * as testCounts from "./test-counts.ts";
import * as testExports from "./test-exports.ts";
import * as proposals from "./test-proposals.ts";
import * as tests from "./tests.ts";
import { listUpcomingOccurrences } from "./upcoming-occurrences.ts";

export const testRegistryContract = {
  listTests: tests.listTests,
  listAllTests: tests.listAllTests,
  searchTests,
  createTest: tests.createTest,
  createTests,
  getTest: tests.getTest,
  changeTest: tests.changeTest,
  deleteTest: tests.deleteTest,
  deleteTests: tests.deleteTests,
  deleteTestsOfApi: tests.deleteTestsOfApi,
  countTests: testCounts.countTests,
  countEnabledTests: testCounts.countEnabledTests,
  countLackingTests,
  listLackingValues,
  findTestsOfOperations: touchedTests.findTestsOfOperations,
  findTestsOfCredentials: touchedTests.findTestsOfCredentials,
  proposeTest: proposals.proposeTest,
  listTestProposals: proposals.listTestProposals,
  getTestProposal: proposals.getTestProposal,
  acceptTestProposal: proposals.acceptTestProposal,
  rejectTestProposal: proposals.rejectTestProposal,
  exportTest: testExports.exportTest,
  exportTests: testExports.exportTests,
  exportCircle: testExports.exportCircle,
  previewImport: imports.previewImport,
  importTests: imports.importTests,
  storeFile: files.storeFile,
  getFile: files.getFile,
  // Registered before the calls on one circle, whose path it would match.
  inspectCircle,
  listCircles: circles.listCircles,
  createCircle: circles.createCircle,
  getCircle: circles.getCircle,
  changeCircle: circles.changeCircle,
  deleteCircle: circles.deleteCircle,
  listTestsOfCircle: circles.listTestsOfCircle,
  openCircles: circles.openCircles,
  listScheduledPlaces,
  listUpcomingOccurrences,
  // Registered before the calls on one schedule, whose path it would match.
  previewSchedule,
  listSchedules: schedules.listSchedules,
  listSchedulesOfCircle: schedules.listSchedulesOfCircle,
  createSchedule: schedules.createSchedule,
  getSchedule: schedules.getSchedule,
  changeSchedule: schedules.changeSchedule,
  deleteSchedule: schedules.deleteSchedule,
  summarizeSchedules: schedules.summarizeSchedules,
  summarizeSchedulesOfApis: schedules.summarizeSchedulesOfApis,
  countScheduleIntervals: schedules.countScheduleIntervals,
  listScheduledTimes: schedules.listScheduledTimes,
  getCalendar: calendars.getCalendar,
  renewCalendar: calendars.renewCalendar,
  deleteCalendar: calendars.deleteCalendar,
  readCalendar: calendars.readCalendar,
  // Registered before the calls on one window, whose path it would match.
  previewMaintenanceWindow: windows.previewMaintenanceWindow,
  listMaintenanceWindows: windows.listMaintenanceWindows,
  listMaintenanceWindowTimes: windows.listMaintenanceWindowTimes,
  createMaintenanceWindow: windows.createMaintenanceWindow,
  getMaintenanceWindow: windows.getMaintenanceWindow,
  changeMaintenanceWindow: windows.changeMaintenanceWindow,
  deleteMaintenanceWindow: windows.deleteMaintenanceWindow,
  pullCode: code.pullCode,
  planCode: code.planCode,
  applyCode: code.applyCode,
  getCodeApplication: code.getCodeApplication,
  getManagedObject: code.getManagedObject,
  ...codePartContract,
  listAuditRecords: auditContract.listAuditRecords,
  checkAuditChain: auditContract.checkAuditChain,
  receiveEvent,
};
