import { expect, test } from "vitest";
import { limitSteps } from "./displayed-steps";
import type { DisplayedCircle } from "./making";

const circle = (key: string, path: string, count: number) => {
  const step = { phase: "main" as const, method: "get", path, name: "Read a book", why: "", lacks: [] };
  return {
    key,
    stepCount: count,
    steps: Array.from({ length: count }, () => step),
    leftOut: [],
  } as unknown as DisplayedCircle;
};

test("steps are displayed as long as the page stays short, and those of the opened circle always", () => {
  const long = `/${"identityGovernance/".repeat(20)}`;
  const circles = [circle("a", "/a", 50), circle("b", long, 60), circle("c", long, 60), circle("d", "/d", 5)];
  const displayed = (opened?: string) =>
    limitSteps(circles, opened).flatMap(({ key, steps, isOpen }) => (steps ? `${key}${isOpen ? " open" : ""}` : []));
  expect(displayed()).toEqual(["a"]);
  expect(displayed("c")).toEqual(["c open"]);
  expect(limitSteps(circles, undefined)[1]).toMatchObject({ stepCount: 60, steps: undefined });
});
