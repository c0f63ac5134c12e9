import { expect, test } from "vitest";
import { findInstants, isTimeZone, wallAt } from "./wall-clock.ts";

const at = (text: string) => Date.parse(text);

test("zones are identified by their IANA names", () => {
  const names = ["UTC", "Europe/Berlin", "America/Argentina/Buenos_Aires", "Etc/GMT+5", "Asia/Calcutta"];
  expect(names.filter(isTimeZone)).toEqual(names);
  const others = [
    "",
    "+02:00",
    "Mars/Olympus",
    "../etc/passwd",
    "Europe/Berlin\n",
    "Europe/Berlin\u0000",
    "a".repeat(200),
  ];
  expect(others.filter(isTimeZone)).toEqual([]);
});

test("clocks follow the zone's time, in summer and in winter", () => {
  expect(wallAt("Europe/Berlin", at("2026-07-01T12:00:00Z"))).toBe(at("2026-07-01T14:00:00Z"));
  expect(wallAt("Asia/Kathmandu", at("2026-01-01T00:00:00Z"))).toBe(at("2026-01-01T05:45:00Z"));
});

test("a time that occurs twice has two instants, a skipped one maps to the first instant after the gap", () => {
  expect(findInstants("Europe/Berlin", at("2026-10-25T02:30:00Z")).matching).toEqual([
    at("2026-10-25T00:30:00Z"),
    at("2026-10-25T01:30:00Z"),
  ]);
  expect(findInstants("Africa/Cairo", at("2026-04-24T00:00:00Z"))).toEqual({
    matching: [],
    afterGap: at("2026-04-23T22:00:00Z"),
  });
});
