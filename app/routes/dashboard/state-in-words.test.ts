import { expect, test } from "vitest";
import { stateInWords } from "./state-in-words";

const words = (failing: number | undefined, incidents: number | undefined, hasRun = true) => {
  const { words, tone } = stateInWords({ apis: 12, failing, incidents, hasRun });
  return `${tone}: ${words}`;
};

test("the state is all clear only where it is known that nothing fails and no incident is open", () => {
  expect(words(1, 1)).toBe("danger: 1 of 12 APIs failing");
  expect(words(0, 0)).toBe("success: All clear: no failing tests in 12 APIs");
  expect(words(0, 1)).toBe("warning: No failing tests in 12 APIs");
  expect(words(0, undefined)).toBe("warning: No failing tests in 12 APIs");
  expect(words(undefined, 0)).toBe("warning: Test results can't be shown right now");
  expect(words(0, 0, false)).toBe("neutral: No test has run yet");
});
