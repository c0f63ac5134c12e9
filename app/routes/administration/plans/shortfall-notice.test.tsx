import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { ShortfallNotice } from "./shortfall-notice";

const getMarkup = (executionsPerMonth: number) =>
  renderToStaticMarkup(
    <ShortfallNotice
      limits={{
        ...{ apis: 2, tests: 50, executionsPerMonth, shortestIntervalSeconds: 3_600 },
        ...{ members: 1, retentionDays: 7 },
      }}
    />,
  );

test("an operator is warned of a plan with too few executions, and by how much, and of no other", () => {
  expect(getMarkup(1_000)).toContain("35,480 more than the plan gives");
  expect(getMarkup(36_480)).toBe("");
});
