import { expect, test } from "vitest";
import { findWindow, findWindowErrors, isOnAt, spanAt } from "./maintenance-window.ts";

const at = (text: string) => Date.parse(text);
const once = { kind: "once" as const, from: "2026-06-01T10:00:00Z", to: "2026-06-01T12:00:00Z" };
/** Saturdays at 23:00, for two hours. */
const weekly = { kind: "repeating" as const, cron: "0 23 * * 6", timeZone: "Europe/Berlin", durationMinutes: 120 };

test("a window includes its start and excludes its end", () => {
  const moments = ["09:59:59", "10:00:00", "11:59:59", "12:00:00"].map((time) => at(`2026-06-01T${time}Z`));
  expect(moments.map((moment) => isOnAt(once, moment))).toEqual([false, true, true, false]);
  expect(spanAt(once, moments[0]!)).toEqual({ from: at(once.from), to: at(once.to) });
  expect(spanAt(once, moments[3]!)).toBeUndefined();
});

test("a recurring window follows its zone's clock, across midnight too", () => {
  const moments = ["2026-06-06T20:59:59Z", "2026-06-06T21:00:00Z", "2026-06-06T22:59:59Z", "2026-06-06T23:00:00Z"];
  expect(moments.map((moment) => isOnAt(weekly, at(moment)))).toEqual([false, true, true, false]);
  expect(isOnAt(weekly, at("2026-12-05T22:00:00Z"))).toBe(true);
  expect(spanAt(weekly, at("2026-06-07T12:00:00Z"))?.from).toBe(at("2026-06-13T21:00:00Z"));
});

test("a window applies to its API, its circle or the whole organization", () => {
  const windows = [
    { name: "api", apiId: "one", times: once },
    { name: "circle", testCircleId: "c", times: once },
    { name: "all", times: weekly },
  ];
  const find = (testCircleId: string, apiIds: string[], moment = once.from) =>
    findWindow(windows, { testCircleId, apiIds }, at(moment))?.name;
  expect(find("x", ["one", "two"])).toBe("api");
  expect(find("c", ["two"])).toBe("circle");
  expect(find("x", ["two"])).toBeUndefined();
  expect(find("x", ["two"], "2026-06-06T21:30:00Z")).toBe("all");
});

test("an invalid window is reported at its field", () => {
  const paths = (input: object) =>
    findWindowErrors({ name: "w", times: once, ...input } as never).map(({ path }) => path);
  expect(paths({})).toEqual([]);
  expect(paths({ apiId: "a", testCircleId: "b" })).toEqual(["testCircleId"]);
  expect(paths({ times: { ...once, to: once.from } })).toEqual(["times.to"]);
  expect(paths({ times: { ...weekly, cron: "x", timeZone: "Berlin" } })).toEqual(["times.cron", "times.timeZone"]);
});
