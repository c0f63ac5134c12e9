import { expect, test } from "vitest";
import { findSetUp, type SetUpState } from "./set-up";

type Status = SetUpState["statuses"][number];

function apiStatus(changes: { testCount?: number; lastFinishedAt?: string } = {}): Status {
  return {
    ...{ id: "a", name: "Bookshop" },
    testCount: changes.testCount ?? 0,
    executions: changes.lastFinishedAt ? ({ lastFinishedAt: changes.lastFinishedAt } as Status["executions"]) : null,
  };
}

const ran = apiStatus({ testCount: 1, lastFinishedAt: "2026-01-01T00:00:00Z" });
const none = { hasSchedule: false, hasChannel: false };
const titles = (statuses: Status[], state: { hasSchedule?: boolean; hasChannel?: boolean } = none) =>
  findSetUp({
    statuses,
    hasRun: statuses.includes(ran),
    hasSchedule: state.hasSchedule,
    hasChannel: state.hasChannel,
  }).map(({ title }) => title);

test("a new user is led step by step, and a step that is not possible yet has no link", () => {
  const steps = findSetUp({ statuses: [], hasRun: false, ...none });
  expect(steps.map(({ href }) => href)).toEqual(["/api-management/register", ...Array(4).fill(undefined)]);
});

test("a step vanishes when it is done", () => {
  expect(titles([apiStatus()])[0]).toBe("Generate tests");
  expect(titles([apiStatus({ testCount: 2 })])[0]).toBe("Run your tests");
  expect(titles([ran])).toEqual(["Run them on a schedule", "Get alerts"]);
  expect(titles([ran], { hasSchedule: true, hasChannel: true })).toEqual([]);
});

test("while the status of tests is unknown no step is suggested", () => {
  expect(titles([{ ...apiStatus(), testCount: undefined }])).toEqual([]);
  expect(titles([{ ...apiStatus({ testCount: 1 }), executions: undefined }])).toEqual([]);
  expect(titles([ran], {})).toEqual([]);
});
