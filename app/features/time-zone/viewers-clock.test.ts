import { expect, test } from "vitest";
import { zoneNames } from "#libraries/time-zone/zone-names.ts";
import { clockIn } from "./viewers-clock";

const momentsIn = (timeZone: string) => clockIn({ timeZone, names: zoneNames(timeZone) }).format;

test("the hour that occurs twice is distinguished by the zone's short names", () => {
  const format = momentsIn("Europe/Berlin");
  expect(format("2026-10-25T00:30:00Z")).toBe("25 Oct 2026, 02:30 CEST");
  expect(format("2026-10-25T01:30:00Z")).toBe("25 Oct 2026, 02:30 CET");
  expect([format("2026-10-25T00:59:59.999Z", true), format("2026-10-25T01:00:00Z", true)]).toEqual([
    "25 Oct 2026, 02:59:59 CEST",
    "25 Oct 2026, 02:00:00 CET",
  ]);
});

test("more moments than are cached are formatted in the same way", () => {
  const format = momentsIn("Australia/Lord_Howe");
  const moments = Array.from({ length: 700 }, (_, hour) => new Date(Date.UTC(2026, 3, 1) + hour * 3_600_000));
  const formatAll = () => moments.map((moment) => format(moment.toISOString()));
  const first = formatAll();
  expect(formatAll()).toEqual(first);
  expect([first[0], first.at(-1)]).toEqual(["1 Apr 2026, 11:00 LHDT", "30 Apr 2026, 13:30 LHST"]);
});
