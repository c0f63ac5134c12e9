import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { PlanQuota, type Quota } from "./plan-quota";

const getMarkup = (used: number, more: Partial<Quota> = {}) =>
  renderToStaticMarkup(
    <PlanQuota quota={{ subject: "apis", plan: "Team", used, limit: 10, managesBilling: true, ...more }} />,
  );

test("a limit is mentioned from eight tenths on, and once reached with a remedy", () => {
  expect(getMarkup(7)).toBe("");
  expect(renderToStaticMarkup(<PlanQuota quota={undefined} />)).toBe("");
  expect(getMarkup(9)).toContain("9 of 10 APIs used on the Team plan.");
  expect(getMarkup(9)).not.toContain("/billing");
  expect(getMarkup(10)).toContain("The Team plan allows no more APIs");
  expect(getMarkup(10)).toContain('href="/billing"');
});

test("a viewer who may not choose a plan sees who may, and executions are available again next month", () => {
  const editor = getMarkup(10, { managesBilling: false, subject: "executionsPerMonth" });
  expect(editor).not.toContain("/billing");
  expect(editor).toContain("An administrator of your organization can upgrade the plan.");
  expect(editor).toContain("The count starts again next month.");
});
