import { expect, test } from "vitest";
import { judgeCode, secondsUntilNextCode } from "./mailed-code.ts";

const now = new Date("2026-03-01T12:00:00Z");
const ago = (seconds: number) => new Date(now.getTime() - seconds * 1_000);
const code = { hash: "right", expiresAt: ago(-1), wrongTries: 4 };

test("the fifth try of a code may succeed, and a sixth is not checked", () => {
  expect(judgeCode(code, "right", now)).toBe("right");
  expect(judgeCode(code, "other", now)).toBe("wrong");
  expect(judgeCode({ ...code, wrongTries: 5 }, "right", now)).toBe("ended");
});

test("a code that expired or was never sent is not accepted", () => {
  expect(judgeCode({ ...code, expiresAt: now }, "right", now)).toBe("ended");
  expect(judgeCode({ hash: null, expiresAt: null, wrongTries: 0 }, "right", now)).toBe("ended");
});

test("the first code is sent at once, the second after half a minute", () => {
  expect(secondsUntilNextCode([], now)).toBe(0);
  expect(secondsUntilNextCode([ago(1)], now)).toBe(29);
  expect(secondsUntilNextCode([ago(30)], now)).toBe(0);
});

test("the sixth code waits until the first of the last five is an hour old", () => {
  expect(secondsUntilNextCode([3_500, 400, 300, 200, 100].map(ago), now)).toBe(100);
  expect(secondsUntilNextCode([3_600, 400, 300, 200, 100].map(ago), now)).toBe(0);
  expect(secondsUntilNextCode([3_599, 3_500, 400, 300, 200, 100].map(ago), now)).toBe(100);
});
