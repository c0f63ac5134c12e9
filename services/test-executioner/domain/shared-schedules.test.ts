import fc from "fast-check";
import { expect, test } from "vitest";
import { chooseAgent } from "./shared-schedules.ts";

const circles = Array.from({ length: 200 }, (_, index) => `circle ${index}`);

test("each circle has one agent, whatever their order, and each agent a share", () => {
  const agents = ["a", "b", "c"];
  const chosen = circles.map((circle) => chooseAgent(circle, agents));
  expect(circles.map((circle) => chooseAgent(circle, agents.toReversed()))).toEqual(chosen);
  for (const agent of agents) expect(chosen.filter((one) => one === agent).length).toBeGreaterThan(circles.length / 6);
  expect(chooseAgent("circle", [])).toBeUndefined();
});

test("where an agent leaves, only its circles move", () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.uuid(), { minLength: 2, maxLength: 8 }), (agents) => {
      const [gone, ...rest] = agents;
      for (const circle of circles.slice(0, 20)) {
        const before = chooseAgent(circle, agents);
        if (before !== gone) expect(chooseAgent(circle, rest)).toBe(before);
      }
    }),
  );
});
