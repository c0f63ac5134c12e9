import { receiveEvent } from "./events.ts";
import * as schedulePreviews from "./schedule-previews.ts";
import * as tests from "./tests.ts";

export const testRegistryContract = {
  listTests: tests.listTests,
  createTest: tests.createTest,
  getTest: tests.getTest,
  changeTest: tests.changeTest,
  deleteTest: tests.deleteTest,
  deleteTestsOfApi: tests.deleteTestsOfApi,
  countTests: tests.countTests,
  previewSchedule: schedulePreviews.previewSchedule,
  receiveEvent,
};
