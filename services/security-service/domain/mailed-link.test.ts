import { expect, test } from "vitest";
import { durationInWords, isLive, linkMilliseconds } from "./mailed-link.ts";

const now = new Date("2026-03-01T12:00:00Z");
const later = new Date(now.getTime() + 1);

test("a link ends when it expires, is used or has been tried twenty times", () => {
  expect(isLive({ expiresAt: later, usedAt: null, tries: 19 }, now)).toBe(true);
  expect(isLive({ expiresAt: now, usedAt: null, tries: 0 }, now)).toBe(false);
  expect(isLive({ expiresAt: later, usedAt: now, tries: 0 }, now)).toBe(false);
  expect(isLive({ expiresAt: later, usedAt: null, tries: 20 }, now)).toBe(false);
});

test("emails say how long each link is valid", () => {
  expect(durationInWords(linkMilliseconds.registration)).toBe("24 hours");
  expect(durationInWords(linkMilliseconds.invitation)).toBe("7 days");
  expect(durationInWords(linkMilliseconds.password_reset)).toBe("30 minutes");
});
