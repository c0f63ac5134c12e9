import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { ExecutionPlots } from "./execution-plots";
import { UsagePlot } from "./usage-plot";

test("each limit has its figures, and reached limits are named", () => {
  const markup = renderToStaticMarkup(
    <UsagePlot
      items={[
        { subject: "apis", used: 5, limit: 5 },
        { subject: "tests", used: 1_400, limit: null },
        { subject: "members", used: 1, limit: 1 },
      ]}
    />,
  );
  expect(markup).toContain("5 of 5");
  expect(markup).toContain("1,400, no limit");
  expect(markup).toContain("At the limit: APIs.</desc>");
});

test("executions have a plot by month, and one by day if days are known", () => {
  const months = [{ month: "2026-08", executions: 1_200 }];
  const days = [{ day: "2026-08-03", executions: 1_200 }];
  const both = renderToStaticMarkup(<ExecutionPlots history={{ months, days }} />);
  expect(both).toMatch(/>Aug 2026<\/th><td[^>]*>1,200</);
  expect(both).toMatch(/>3 Aug<\/th><td[^>]*>1,200</);
  expect(renderToStaticMarkup(<ExecutionPlots history={{ months, days: null }} />)).not.toContain("by day");
});
