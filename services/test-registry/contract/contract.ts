import { inspectCircle } from "./circle-inspection.ts";
import * as circles from "./circles.ts";
import { receiveEvent } from "./events.ts";
import * as schedulePreviews from "./schedule-previews.ts";
import * as tests from "./tests.ts";

export const testRegistryContract = {
  listTests: tests.listTests,
  listAllTests: tests.listAllTests,
  createTest: tests.createTest,
  getTest: tests.getTest,
  changeTest: tests.changeTest,
  deleteTest: tests.deleteTest,
  deleteTestsOfApi: tests.deleteTestsOfApi,
  countTests: tests.countTests,
  previewSchedule: schedulePreviews.previewSchedule,
  // Before the calls on one circle, whose address it would fit.
  inspectCircle,
  listCircles: circles.listCircles,
  createCircle: circles.createCircle,
  getCircle: circles.getCircle,
  changeCircle: circles.changeCircle,
  deleteCircle: circles.deleteCircle,
  listTestsOfCircle: circles.listTestsOfCircle,
  openCircle: circles.openCircle,
  receiveEvent,
};
