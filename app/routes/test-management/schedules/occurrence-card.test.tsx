import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { OccurrenceCard } from "./occurrence-card";
import type { DisplayedOccurrences } from "./occurrences.server";

const address = "https://portal.example.com/schedule?dialog=delete";
const none = { isLate: false, reason: null, times: 1, run: null };

function render(items: Partial<DisplayedOccurrences["items"][number]>[], rest: Partial<DisplayedOccurrences> = {}) {
  const occurrences: DisplayedOccurrences = {
    ...{ timeZone: "Europe/Berlin", cursor: undefined, nextCursor: null, ...rest },
    items: items.map((item, index) => ({
      ...{ ...none, state: "started", scheduledFor: `2026-06-0${index + 1}T05:00:00.000Z` },
      ...{ local: `2026-06-0${index + 1}T07:00:00+02:00`, ...item },
    })),
  };
  return renderToStaticMarkup(<OccurrenceCard occurrences={occurrences} address={address} />);
}
const toText = (markup: string) => markup.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");

test("each occurrence shows its run, its delay, or why there was no run", () => {
  const run = { id: "r", state: "finished" as const, verdict: "failed" as const, address: "/run/r" };
  const markup = render([
    { run, isLate: true },
    { state: "skipped", reason: "In the maintenance window “Move”." },
    { state: "missed", reason: "The portal was not running at that time.", times: 1_200 },
    { state: "waiting" },
    { state: "failed", reason: "The circle has no test that may run." },
  ]);
  expect(markup).toMatch(/<a href="\/run\/r">.*Failed/);
  const text = toText(markup);
  expect(text).toMatch(/Mon 1 Jun 2026, 07:00 CEST Failed Late Tue 2 Jun/);
  expect(text).toContain("Skipped In the maintenance window “Move”.");
  expect(text).toContain("Missed 1,200 times from this one on The portal was not running at that time.");
  expect(text).toContain("Waiting for the previous run");
  expect(text).toContain("Not started The circle has no test that may run.");
});

test("an occurrence whose run was deleted since is shown as started", () => {
  expect(toText(render([{}]))).toContain("07:00 CEST Started");
});

test("older occurrences are one page further, and the first page is one step back", () => {
  expect(render([{}], { nextCursor: "abc" })).toContain('href="/schedule?cursor=abc#times"');
  const last = render([], { cursor: "abc" });
  expect(last).toContain('href="/schedule#times"');
  expect(last).toContain("No earlier entries.");
  expect(render([])).toContain("None yet.");
});

test("unknown occurrences are reported as such", () => {
  const markup = renderToStaticMarkup(<OccurrenceCard occurrences={undefined} address={address} />);
  expect(markup).toContain("be shown right now.");
});
