import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import type { RunMember, RunSummary } from "#contracts/test-executioner/runs.ts";
import { RunTimeline } from "./run-timeline.tsx";

const id = "0190a000-0000-7000-8000-000000000001";
const [queuedAt, startedAt, finishedAt] = ["10:00:00.000", "10:00:01.500", "10:00:02.000"].map(
  (time) => `2026-03-10T${time}Z`,
) as [string, string, string];
const run = { queuedAt, startedAt, finishedAt } as RunSummary;

function readCells(times: Partial<RunMember>): string[] {
  const member: RunMember = {
    ...{ position: 1, phase: "main", executionId: id, testId: id, testName: "Lists pets", apiId: id },
    ...{ method: "get", path: "/pets", state: "finished", verdict: "passed", reason: null, attemptCount: 1 },
    ...{ statusCode: 200, queuedAt, startedAt, finishedAt, durationMilliseconds: 500, responseMilliseconds: 400 },
    ...times,
  };
  const markup = renderToStaticMarkup(<RunTimeline run={run} members={[member]} now={finishedAt} />);
  return [...markup.matchAll(/<t[hd][^>]*>([^<]*)<\/t[hd]>/g)].map(([, text]) => text!);
}

test("a timeline says waiting, sending, response and storing apart", () => {
  const cells = readCells({ sendingMilliseconds: 120, storingMilliseconds: 12 });
  expect(cells).toEqual(expect.arrayContaining(["Waited", "Sending", "Response", "Storing"]));
  const waited = cells.indexOf("1.50 s");
  expect(cells.slice(waited, waited + 4)).toEqual(["1.50 s", "120 ms", "280 ms", "12.0 ms"]);
});

test("of an execution of an earlier version, a timeline has one time for sending and response", () => {
  const cells = readCells({});
  const waited = cells.indexOf("1.50 s");
  expect(cells.slice(waited, waited + 4)).toEqual(["1.50 s", "–", "400 ms", "–"]);
});
