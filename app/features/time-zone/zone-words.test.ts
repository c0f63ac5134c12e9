import { expect, test } from "vitest";
import { zoneWords } from "./zone-words";

test("a zone is named as its moments have it, with its own name behind", () => {
  const [winter, summer] = [Date.UTC(2026, 0), Date.UTC(2026, 6)];
  expect([zoneWords("Europe/Berlin", winter), zoneWords("Europe/Berlin", summer)]).toEqual([
    "CET (Europe/Berlin)",
    "CEST (Europe/Berlin)",
  ]);
  expect([zoneWords("Asia/Tokyo", winter), zoneWords("UTC", winter)]).toEqual(["UTC+9 (Asia/Tokyo)", "UTC"]);
});
