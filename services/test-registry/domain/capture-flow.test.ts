import { expect, test } from "vitest";
import type { CirclePhase } from "#contracts/test-registry/circle-members.ts";
import { type CapturingMember, traceCaptures } from "./capture-flow.ts";

const nothing = new Set<string>();
const member = (gives: string, asks: string, phase: CirclePhase = "main", of: Partial<CapturingMember> = {}) => ({
  phase,
  rows: nothing,
  beyondRows: nothing,
  environment: nothing,
  gives: gives.split(" ").filter(Boolean),
  asks: asks.split(" ").filter(Boolean),
  ...of,
});
const givers = ({ uses }: ReturnType<typeof traceCaptures>) =>
  uses.map((own) => own.map(({ name, givenBy, position }) => `${name} ${givenBy}${position ?? ""}`).join());

test("in sequence each member gets the captures of earlier ones, the last of one name", () => {
  const traced = traceCaptures("sequential", [member("id", ""), member("id", "id"), member("", "id")], nothing);
  expect(givers(traced)).toEqual(["", "id member1", "id member2"]);
  expect(traced.missing).toEqual([]);
});

test("in parallel a member gets only what set-up captured, and so does tear-down", () => {
  const members = [
    member("token", "", "setUp"),
    member("id", "token"),
    member("", "id token"),
    member("", "id", "tearDown"),
  ];
  const traced = traceCaptures("parallel", members, nothing);
  expect(givers(traced)).toEqual(["", "token member1", "id nobody,token member1", "id nobody"]);
  expect(traced.missing).toEqual([{ name: "id", usedBy: [3, 4], capturedBy: 2 }]);
});

test("a data row takes precedence over a capture, which does over the circle's variable, which does over the environment's", () => {
  const all = { rows: new Set(["a"]), environment: new Set(["a", "b", "c", "d"]) };
  const traced = traceCaptures(
    "sequential",
    [member("a b", ""), member("", "a b c d", "main", all)],
    new Set(["a", "b", "c"]),
  );
  expect(givers(traced)[1]).toBe("a row,b member1,c circle,d environment");
});

test("an undefined name is reported once with all members that reference it, and whether it is captured too late", () => {
  const traced = traceCaptures("sequential", [member("", "x y"), member("y", "x"), member("", "y")], nothing);
  expect(traced.missing).toEqual([
    { name: "x", usedBy: [1, 2], capturedBy: null },
    { name: "y", usedBy: [1], capturedBy: 2 },
  ]);
});

test("tear-down members pass captures to each other", () => {
  const traced = traceCaptures("parallel", [member("x", "", "tearDown"), member("", "x", "tearDown")], nothing);
  expect(givers(traced)).toEqual(["", "x member1"]);
});

test("a row's value uses nothing of its row: a name in it comes from an earlier member, or from nowhere", () => {
  const own = { rows: new Set(["id"]), beyondRows: new Set(["id"]) };
  const traced = traceCaptures(
    "sequential",
    [member("", "id", "main", own), member("id", ""), member("", "id", "main", own)],
    nothing,
  );
  expect(givers(traced)).toEqual(["id nobody", "", "id member2"]);
  expect(traced.missing).toEqual([{ name: "id", usedBy: [1], capturedBy: 2 }]);
});
