import { expect, test } from "vitest";
import { isAvailable } from "./availability.ts";

const ended = { verdict: "passed", statusCode: 200, causeCode: null } as const;

test("an API that answers is available, whatever its test says of the answer", () => {
  expect(isAvailable(ended)).toBe(true);
  expect(isAvailable({ ...ended, verdict: "failed", statusCode: 404 })).toBe(true);
});

test("a server error makes it unavailable, unless its test expects one", () => {
  expect(isAvailable({ ...ended, verdict: "failed", statusCode: 503 })).toBe(false);
  expect(isAvailable({ ...ended, statusCode: 503 })).toBe(true);
});

test("so does no answer; of an API that was not asked nothing is known", () => {
  const unanswered = { verdict: "errored", statusCode: null } as const;
  expect(isAvailable({ ...unanswered, causeCode: "timeout" })).toBe(false);
  expect(isAvailable({ ...unanswered, causeCode: "credential_missing" })).toBeUndefined();
  expect(isAvailable({ ...unanswered, verdict: "skipped", causeCode: "run_stopped" })).toBeUndefined();
});
