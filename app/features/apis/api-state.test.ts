import { expect, test } from "vitest";
import type { ApiExecutions } from "~/features/recoveries/recovering-tests.server";
import { apiEdge, apiState } from "./api-state";

const nothing = {
  ...{ apiId: "a", passed: 0, failed: 0, errored: 0, regional: 0, flaky: 0, unfinished: 0, failing: 0 },
  ...{ lastFinishedAt: null, failingSince: null, recovering: [] },
};
const word = (changes: Partial<ApiExecutions>) => apiState({ ...nothing, ...changes }).word;

test("an API has the worst state of its tests, and one that runs again still fails", () => {
  const recovering = [{}] as ApiExecutions["recovering"];
  expect(word({ failing: 1, passed: 20, unfinished: 1, recovering })).toBe("Failing");
  expect(word({ passed: 20, flaky: 1, recovering })).toBe("Recovering");
  expect(word({ passed: 20, flaky: 1 })).toBe("Flaky");
  expect(word({ passed: 20, unfinished: 1 })).toBe("Passing");
  expect(word({ unfinished: 1 })).toBe("Running");
  expect(word({})).toBe("Not run");
  expect([apiState(null).word, apiState(undefined).word]).toEqual(["Not run", "Unknown"]);
});

test("only what needs attention has an edge", () => {
  const edges = [{ failing: 1 }, { flaky: 1 }, { passed: 1 }].map((changes) => apiEdge({ ...nothing, ...changes }));
  expect([...edges, apiEdge(undefined)]).toEqual(["danger", "warning", undefined, undefined]);
});
