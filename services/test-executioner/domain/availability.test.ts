import { expect, test } from "vitest";
import { isAvailable } from "./availability.ts";

const ended = { verdict: "passed", statusCode: 200, causeCode: null } as const;

test("an API that responds is available, whatever its test says of the response", () => {
  expect(isAvailable(ended)).toBe(true);
  expect(isAvailable({ ...ended, verdict: "failed", statusCode: 404 })).toBe(true);
});

test("a server error makes it unavailable, unless its test expects one", () => {
  expect(isAvailable({ ...ended, verdict: "failed", statusCode: 503 })).toBe(false);
  expect(isAvailable({ ...ended, statusCode: 503 })).toBe(true);
});

test("a missing response makes it unavailable; an API that was not requested has no result", () => {
  const unanswered = { verdict: "errored", statusCode: null } as const;
  expect(isAvailable({ ...unanswered, causeCode: "timeout" })).toBe(false);
  expect(isAvailable({ ...unanswered, causeCode: "credential_missing" })).toBeUndefined();
  expect(isAvailable({ ...unanswered, verdict: "skipped", causeCode: "run_stopped" })).toBeUndefined();
});
