import { expect, test } from "vitest";
import { quietUntil } from "./quiet-hours.ts";

const berlin = { from: "22:00", to: "07:00", timeZone: "Europe/Berlin" };
const until = (now: string, hours = berlin) => quietUntil(hours, new Date(now))?.toISOString();

test("overnight quiet hours last from the evening to the morning", () => {
  expect(until("2026-03-10T20:59:59Z")).toBeUndefined();
  expect(until("2026-03-10T21:00:00Z")).toBe("2026-03-11T06:00:00.000Z");
  expect(until("2026-03-11T05:30:00Z")).toBe("2026-03-11T06:00:00.000Z");
  expect(until("2026-03-11T06:00:00Z")).toBeUndefined();
});

test("hours within a day end on that day", () => {
  const lunch = { ...berlin, from: "12:00", to: "13:30" };
  expect(until("2026-07-01T10:30:00Z", lunch)).toBe("2026-07-01T11:30:00.000Z");
  expect(until("2026-07-01T11:30:00Z", lunch)).toBeUndefined();
});

test("equal times are always quiet", () => {
  const always = { ...berlin, from: "08:00", to: "08:00" };
  expect(until("2026-03-10T06:59:00Z", always)).toBe("2026-03-10T07:00:00.000Z");
  expect(until("2026-03-10T07:00:00Z", always)).toBe("2026-03-11T07:00:00.000Z");
});

test("in a night with a clock change, quiet hours end by local time", () => {
  expect(until("2026-03-28T22:00:00Z")).toBe("2026-03-29T05:00:00.000Z");
  expect(until("2026-10-24T22:00:00Z")).toBe("2026-10-25T06:00:00.000Z");
  // 02:30 does not exist that night, so the end of the gap is used.
  expect(until("2026-03-28T22:00:00Z", { ...berlin, to: "02:30" })).toBe("2026-03-29T01:00:00.000Z");
});
