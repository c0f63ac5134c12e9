import { expect, test } from "vitest";
import { type CircleMember, circleMember } from "#contracts/test-registry/circle-members.ts";
import { type ChoosableTest, resolveMembers } from "./circle-members.ts";

const pets = "0198c1f4-7a3e-7c41-9d55-00000000000a";
const shops = "0198c1f4-7a3e-7c41-9d55-00000000000b";
const toId = (name: string) => `0198c1f4-7a3e-7c41-9d55-${String(name.charCodeAt(0)).padStart(12, "0")}`;
const given = (name: string, changes: Partial<ChoosableTest> = {}): ChoosableTest => ({
  id: toId(name),
  apiId: pets,
  name,
  method: "get",
  enabled: true,
  tags: [],
  ...changes,
});
const named = (name: string, phase: CircleMember["phase"] = "main"): CircleMember =>
  circleMember.parse({ testId: toId(name), phase });
const selected = (changes: object = {}): CircleMember =>
  circleMember.parse({ kind: "selection", apiId: pets, ...changes });
const getNames = (locations: { test: ChoosableTest }[]) => locations.map(({ test: { name } }) => name);

test("set-up comes first and tear-down last, each in list order, a test as often as it is named", () => {
  const members = [named("z", "tearDown"), named("b"), named("a"), named("l", "setUp"), named("b")];
  const { running } = resolveMembers(
    members,
    ["a", "b", "l", "z"].map((name) => given(name)),
  );
  expect(running.map(({ test: { name }, memberIndex }) => `${name}${memberIndex}`)).toEqual([
    "l3",
    "b1",
    "a2",
    "b4",
    "z0",
  ]);
});

test("a selection adds the enabled tests of its API by name, those with its tag if it has one", () => {
  const tests = [
    given("c", { tags: ["smoke"] }),
    given("B", { tags: ["smoke", "slow"] }),
    given("a"),
    given("d", { apiId: shops, tags: ["smoke"] }),
    given("e", { enabled: false, tags: ["smoke"] }),
  ];
  expect(getNames(resolveMembers([selected()], tests).running)).toEqual(["a", "B", "c"]);
  expect(getNames(resolveMembers([selected({ tag: "smoke" })], tests).running)).toEqual(["B", "c"]);
});

test("a selection excludes tests that the circle names and those of earlier selections", () => {
  const tests = [given("a", { tags: ["smoke"] }), given("b"), given("l")];
  const { running } = resolveMembers([named("l", "setUp"), selected({ tag: "smoke" }), selected()], tests);
  expect(running.map(({ test: { name }, memberIndex }) => `${name}${memberIndex}`)).toEqual(["l0", "a1", "b2"]);
});

test("a selection of safe ones lists what it omits; a named test runs whatever its method", () => {
  const tests = [given("a"), given("p", { method: "post" }), given("x", { method: "DELETE" })];
  const safe = resolveMembers([selected(), named("x")], tests);
  expect(getNames(safe.running)).toEqual(["a", "x"]);
  expect(safe.notRun.map(({ test: { name }, reason }) => [name, reason])).toEqual([["p", "unsafe"]]);
  expect(getNames(resolveMembers([selected({ include: "all" })], tests).running)).toEqual(["a", "p", "x"]);
});

test("a disabled test does not run although it is named, and a missing one is reported", () => {
  const { running, notRun, absent } = resolveMembers(
    [named("a"), named("b"), named("c")],
    [given("a", { enabled: false }), given("c")],
  );
  expect(getNames(running)).toEqual(["c"]);
  expect(notRun.map(({ test: { name }, reason }) => [name, reason])).toEqual([["a", "disabled"]]);
  expect(absent).toEqual([1]);
});
