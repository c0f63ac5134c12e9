import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { formatMoment } from "#libraries/time-zone/written-moment.ts";
import { ClockProvider, formatAgo, Moment } from "./moment";

test("a relative time has the largest unit that is not too coarse", () => {
  const now = "2026-11-21T14:00:00.000Z";
  const ago = (seconds: number) => formatAgo(new Date(Date.parse(now) - seconds * 1_000).toISOString(), now);
  expect([0, 59, 60, 3_599, 3_600, 172_799, 172_800].map(ago)).toEqual([
    "1 s ago",
    "59 s ago",
    "1 min ago",
    "59 min ago",
    "1 h ago",
    "47 h ago",
    "2 days ago",
  ]);
});

test("a time slightly in the future, by another machine's clock, is now", () => {
  expect(formatAgo("2026-11-21T14:00:01.000Z", "2026-11-21T14:00:00.000Z")).toBe("1 s ago");
});

test("a moment has its zone's full name behind the short one", () => {
  const clock = { format: (value: string) => formatMoment(value, false, 60, { 60: "CET" }), timeZone: "Europe/Berlin" };
  const moment = createElement(Moment, { value: "2026-11-21T14:03:09Z" });
  const markup = renderToStaticMarkup(createElement(ClockProvider, { value: clock }, moment));
  expect(markup).toBe('<time title="Europe/Berlin" dateTime="2026-11-21T14:03:09Z">21 Nov 2026, 15:03 CET</time>');
  expect(renderToStaticMarkup(moment)).toBe('<time dateTime="2026-11-21T14:03:09Z">21 Nov 2026, 14:03 UTC</time>');
});
