import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { ClockProvider, formatAgo, formatMoment, Moment } from "./moment";

test("a moment is displayed in UTC by default, whatever its own offset", () => {
  expect(formatMoment("2026-11-21T14:03:09Z")).toBe("21 Nov 2026, 14:03 UTC");
  expect(formatMoment("2026-01-01T00:30:00+02:00")).toBe("31 Dec 2025, 22:30 UTC");
});

test("a moment is displayed with an offset before or after UTC, which is stated", () => {
  expect(formatMoment("2026-12-31T23:30:00Z", false, 60)).toBe("1 Jan 2027, 00:30 UTC+1");
  expect(formatMoment("2026-11-21T02:15:09Z", true, -210)).toBe("20 Nov 2026, 22:45:09 UTC−3:30");
  expect(formatMoment("2026-11-21T14:03:09Z", false, 345)).toBe("21 Nov 2026, 19:48 UTC+5:45");
  expect(formatMoment("2026-12-31T23:30:00Z", false, 60, { 60: "CET" })).toBe("1 Jan 2027, 00:30 CET");
});

test("seconds are displayed for events in quick succession", () => {
  expect(formatMoment("2026-11-21T14:03:09.750Z", true)).toBe("21 Nov 2026, 14:03:09 UTC");
});

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
