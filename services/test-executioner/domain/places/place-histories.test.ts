import { expect, test } from "vitest";
import type { ExecutionVerdict } from "#contracts/test-executioner/verdicts.ts";
import { findTroubledPlaces, getTrouble, judgeHistory, type RunPlaces } from "./place-histories.ts";

const at = (minute: number) => new Date(Date.UTC(2026, 2, 10, 12, minute));
const result = (run: number, placeId: string | null, verdict: ExecutionVerdict) => ({
  ...{ runId: String(run), placeId, verdict, at: at(run) },
});
const all: RunPlaces = { rule: "all", ids: [null, "berlin", "office"] };

test("a test recovers and fails by its rule, and each place has its own since", () => {
  const results = [
    ...[result(1, null, "passed"), result(1, "berlin", "failed"), result(1, "office", "passed")],
    ...[result(2, null, "failed"), result(2, "berlin", "errored")],
    ...[result(3, null, "passed"), result(3, "berlin", "failed"), result(3, "office", "failed")],
  ];
  const judged = judgeHistory(results, () => all);
  expect(judged.map(({ hasFailed }) => hasFailed)).toEqual([false, true, false]);
  expect(judged[1]!.result).toMatchObject({ placeId: "berlin", verdict: "errored" });
  expect(judged[1]!.places).toEqual([
    { placeId: null, state: "failing", since: at(2) },
    { placeId: "berlin", state: "failing", since: at(1) },
    { placeId: "office", state: "notRun", since: null },
  ]);
  expect(judged[2]!.places?.[0]).toEqual({ placeId: null, state: "passing", since: null });
});

test("in turn, what fails from one place does not recover by passing from the next", () => {
  const inTurn = (runId: string): RunPlaces => ({ rule: "inTurn", ids: [null, "berlin"], turn: Number(runId) % 2 });
  const results = [
    ...[result(1, "berlin", "failed"), result(2, null, "passed"), result(3, "berlin", "failed")],
    ...[result(4, null, "passed"), result(5, "berlin", "passed")],
  ];
  const judged = judgeHistory(results, inTurn);
  expect(judged.map(({ hasFailed }) => hasFailed)).toEqual([true, true, true, true, false]);
  expect(judged[3]!.places).toEqual([
    { placeId: null, state: "passing", since: null },
    { placeId: "berlin", state: "failing", since: at(1) },
  ]);
});

test("runs from one place are judged by their worst result", () => {
  const judged = judgeHistory([result(1, null, "passed"), result(2, null, "failed")], () => undefined);
  expect(judged.map(({ hasFailed, places }) => [hasFailed, places])).toEqual([
    [false, undefined],
    [true, undefined],
  ]);
});

test("a place is in trouble if all of its tests fail with several hosts while another place is fine", () => {
  const berlin = { placeId: "berlin", answered: 3, failing: 3, hosts: 2 };
  const portal = { placeId: null, answered: 3, failing: 0, hosts: 0 };
  expect(findTroubledPlaces([portal, berlin])).toEqual(["berlin"]);
  expect(findTroubledPlaces([portal, { ...berlin, hosts: 1 }])).toEqual([]);
  expect(findTroubledPlaces([portal, { ...berlin, failing: 2 }])).toEqual([]);
  expect(findTroubledPlaces([{ ...portal, failing: 1 }, berlin])).toEqual([]);
  const seen = [
    { placeId: null, state: "passing" as const, since: null },
    { placeId: "berlin", state: "failing" as const, since: at(1) },
    { placeId: "office", state: "failing" as const, since: at(1) },
  ];
  expect(getTrouble({ rule: "any" }, seen.slice(0, 2), ["berlin"])).toMatchObject({ placeId: "berlin" });
  // It fails from another place, too.
  expect(getTrouble({ rule: "any" }, seen, ["berlin"])).toBeUndefined();
});
