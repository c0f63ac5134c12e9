import { expect, test } from "vitest";
import { whatIsAway } from "./parts";

test("unavailable parts have the names that the pages use, each once", () => {
  expect(whatIsAway(["test-executioner"])).toBe("Test results are not available right now");
  expect(whatIsAway(["test-registry", "test-executioner", "test-registry"])).toBe(
    "Tests and test results are not available right now",
  );
  expect(whatIsAway(["test-registry", "api-registry"])).toBe("Tests and APIs are not available right now");
  expect(whatIsAway(["test-executioner", "test-analyzer"])).toBe(
    "Test results, verifications, and trends are not available right now",
  );
});

test("an unknown part is not guessed", () => {
  expect(whatIsAway([undefined])).toBe("Part of the portal is unavailable");
  expect(whatIsAway([])).toBe("Part of the portal is unavailable");
});
