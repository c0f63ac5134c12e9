import { expect, test } from "vitest";
import type { PlannedCircle, PlannedTest } from "#contracts/test-analyzer/suite-plans.ts";
import { keepSteps } from "./kept-steps";

type Step = [does: PlannedCircle["steps"][number]["does"], needs?: string[], captures?: string[]];

function keep(kind: PlannedCircle["kind"], given: string[], ...lines: Step[]) {
  const steps = lines.map(([does], index) => ({ test: String(index), does, phase: "main", why: "" }));
  const tests = new Map(
    lines.map(([, needs = [], captures = []], index) => {
      const test = { captures: captures.map((name) => ({ name })) };
      return [String(index), { key: String(index), needs, test } as unknown as PlannedTest];
    }),
  );
  const circle = { kind, steps, variables: [{ name: "own" }] } as unknown as PlannedCircle;
  const kept = keepSteps(circle, tests, new Set(given));
  return {
    steps: kept.steps.map(({ does }) => does),
    lacks: kept.dropped.flatMap(({ names }) => names),
    is: kept.isUsable,
  };
}

test("a step without its value is left out, and the rest of its circle stays", () => {
  const steps: Step[] = [["create", [], ["bookId"]], ["read"], ["call", ["day", "own"]], ["remove"]];
  expect(keep("life", [], ...steps)).toEqual({ steps: ["create", "read", "remove"], lacks: ["day"], is: true });
  expect(keep("life", ["day"], ...steps)).toEqual({ steps: ["create", "read", "call", "remove"], lacks: [], is: true });
});

test("a circle is left out whole without what makes, takes or removes its resource, or gives later steps a value", () => {
  const isUsable = (...steps: Step[]) => keep("life", [], ...steps).is;
  expect(isUsable(["create", ["shop"], ["bookId"]], ["read"], ["remove"])).toBe(false);
  expect(isUsable(["create"], ["read"], ["remove", ["reason"]])).toBe(false);
  expect(isUsable(["take", ["shop"], ["bookId"]], ["read"])).toBe(false);
  expect(isUsable(["list", ["shop"], ["bookId"]], ["read"])).toBe(false);
  expect(isUsable(["list", ["shop"]], ["read"])).toBe(true);
  expect(isUsable(["read", ["shop"]])).toBe(false);
});

test("a setting is changed with all of its steps or not at all", () => {
  expect(keep("setting", [], ["read"], ["change", ["mode"]], ["readChanged"], ["putBack"]).is).toBe(false);
});
