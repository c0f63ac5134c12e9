import { expect, test } from "vitest";
import { writeZone, zoneNames } from "./zone-names.ts";

test.each([
  ["Europe/Berlin", { 60: "CET", 120: "CEST" }],
  ["Europe/London", { 0: "GMT", 60: "BST" }],
  ["America/New_York", { [-300]: "EST", [-240]: "EDT" }],
  ["Australia/Sydney", { 600: "AEST", 660: "AEDT" }],
  ["Asia/Kolkata", { 330: "IST" }],
  ["UTC", { 0: "UTC" }],
  ["Asia/Tokyo", {}],
  ["Etc/GMT+5", {}],
])("the short names of %s are %j", (timeZone, names) => {
  expect(zoneNames(timeZone)).toEqual(names);
});

test("every zone has one name per offset, none of which is a number", () => {
  for (const zone of Intl.supportedValuesOf("timeZone"))
    for (const name of Object.values(zoneNames(zone))) expect(name).toMatch(/^[A-Z]{2,5}$/);
});

test("an offset without a name is written as a number", () => {
  expect([60, 0, -210, 345].map((minutes) => writeZone(minutes))).toEqual(["UTC+1", "UTC", "UTC−3:30", "UTC+5:45"]);
  expect(writeZone(60, zoneNames("Europe/Berlin"))).toBe("CET");
});
