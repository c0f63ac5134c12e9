import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { PlanRoom } from "./plan-room";

const markupOf = (used: number, limit = 10) =>
  renderToStaticMarkup(<PlanRoom room={{ subject: "apis", plan: "Team", used, limit }} />);

test("a limit is told of from eight tenths on, and at it with where to go", () => {
  expect(markupOf(7)).toBe("");
  expect(renderToStaticMarkup(<PlanRoom room={undefined} />)).toBe("");
  expect(markupOf(9)).toContain("9 of 10 APIs of the Team plan are used.");
  expect(markupOf(9)).not.toContain("/billing");
  expect(markupOf(10)).toContain("The Team plan allows no more APIs");
  expect(markupOf(10)).toContain('href="/billing"');
});
