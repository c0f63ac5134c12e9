import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import type { TrendPoint, Trends } from "#contracts/test-analyzer/trends.ts";
import { TrendCard } from "./trend-card";

const froms = ["2026-11-29T12:00:00.000Z", "2026-11-29T13:00:00.000Z"];
function pointsOf(passed: number, p50: number): TrendPoint[] {
  return froms.map((from) => ({
    ...{ from, executions: 2, passed, failed: 2 - passed, errored: 0, flaky: 0 },
    ...{ passRate: passed / 2, availability: 1, flakiness: 0, p50, p95: p50, p99: p50 },
  }));
}
function totalOf([first]: TrendPoint[]) {
  const { from: _, ...figures } = first!;
  return figures;
}
const [portal, berlin] = [pointsOf(2, 10), pointsOf(1, 50)] as [TrendPoint[], TrendPoint[]];
const trends: Trends = {
  ...{ range: "24h", timeZone: "UTC", until: "2026-11-29T14:00:00.000Z", points: portal, total: totalOf(portal) },
  places: [
    { locationId: null, name: "This portal", points: portal, total: totalOf(portal), last: null },
    {
      ...{ locationId: "0190a000-0000-7000-8000-000000000005", name: "Berlin", points: berlin, total: totalOf(berlin) },
      last: { verdict: "failed", at: "2026-11-29T13:30:00.000Z", since: "2026-11-29T12:30:00.000Z" },
    },
  ],
  ...{ slowest: [], flakiest: [], shift: null, windows: [], marks: [] },
};
const of = { apiId: "a", testCircleId: "c" };
const write = (given: Trends) => renderToStaticMarkup(<TrendCard trends={given} of={of} address="/there" />);

/** The figure with this id, up to the next one. */
function figure(html: string, id: string): string {
  return html.split("<figure ").find((part) => part.includes(`id="${id}"`)) ?? "";
}

test("plots of a circle from several places have a line for each, and its values in words and in their numbers", () => {
  const times = figure(write(trends), "response-times-by-place");
  expect(times).toContain("29 Nov, 12:00–13:00: This portal 10.0 ms, Berlin 50.0 ms");
  expect(times).toMatch(/<th[^>]*>Time<\/th><th[^>]*>This portal<\/th><th[^>]*>Berlin<\/th>/);
  expect(times).toMatch(/<td[^>]*>10.0 ms<\/td><td[^>]*>50.0 ms<\/td>/);
  const rates = figure(write(trends), "pass-rates-by-place");
  expect(rates).toContain("29 Nov, 12:00–13:00: This portal 100 %, Berlin 50.0 %");
  // The legend's lines differ by their dashes.
  const lines = [...rates.matchAll(/<line x2="22"[^>]*class="([^"]+)"/g)].map(([, classes]) => classes);
  expect(new Set(lines).size).toBe(2);
});

test("a table says of each place what it saw, and since when", () => {
  const table = write(trends)
    .split("Results by place")[1]!
    .split("</table>")[0]!
    .replace(/<[^>]+>/g, " ");
  expect(table).toMatch(/Berlin\s+Failed.*2\s+1\s+50.0 ms\s+50.0 ms/s);
  expect(table).toMatch(/This portal/);
});

test("what runs from one place has neither", () => {
  const html = write({ ...trends, places: [] });
  expect(html).not.toContain("by place");
});
