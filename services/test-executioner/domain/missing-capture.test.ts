import { expect, test } from "vitest";
import type { RunOrder } from "#contracts/test-executioner/runs.ts";
import { type CapturingMember, explainAbsent, explainMissing, explainNeverMade } from "./missing-capture.ts";

const member = (changes: Partial<CapturingMember>): CapturingMember => ({
  position: 2,
  phase: "main",
  testName: "Log in",
  method: "get",
  path: "/books",
  isOptional: false,
  state: "finished",
  verdict: "passed",
  reason: null,
  statusCode: 200,
  ...changes,
});
const explain = (capturing: CapturingMember[], order: RunOrder = "sequential") =>
  explainMissing("token", { position: 5, order }, capturing);

test("a name that no member captures has to be given", () => {
  expect(explain([])).toBe("{{token}} has no value. Set it in the environment, the run or the test's rows.");
});

test("of several members, the last one before should have captured it", () => {
  const capturing = [member({ position: 1 }), member({ position: 4, testName: "Again" }), member({ position: 6 })];
  expect(explain(capturing)).toMatch(/member 4, "Again", should have captured it/);
});

test("the member's outcome is named", () => {
  const said = (changes: Partial<CapturingMember>) =>
    explain([member(changes)]).replace(/^.*should have captured it and /, "");
  expect(said({})).toBe(
    "passed, but did not find it in its response, or it was longer than 100,000 characters (16,384 for a secret).",
  );
  expect(said({ verdict: "flaky" })).toBe(
    "passed, but did not find it in its response, or it was longer than 100,000 characters (16,384 for a secret).",
  );
  expect(said({ verdict: "failed", reason: "Status: expected 200, found 500." })).toBe(
    "failed: Status: expected 200, found 500.",
  );
  expect(said({ verdict: "errored", reason: "No response." })).toBe("ended with an error: No response.");
  expect(said({ verdict: "blocked" })).toBe("was blocked.");
  expect(said({ verdict: "skipped" })).toBe("was not run.");
  expect(said({ state: "cancelled", verdict: null })).toBe("was cancelled.");
});

test("a later member, or a concurrent one in a parallel run, can't have captured it", () => {
  expect(explain([member({ position: 6 })])).toContain("captures it, but runs after this one.");
  expect(explain([member({})], "parallel")).toContain("captures it, but what runs in parallel hands nothing on.");
  const setUp = member({ position: 1, phase: "setUp", testName: "Set up", verdict: "failed" });
  expect(explain([setUp, member({})], "parallel")).toMatch(/member 1, "Set up", should have captured it and failed/);
});

test("nothing is there to remove if no member before that captures the name got a 2xx", () => {
  const said = (capturing: CapturingMember[], order: RunOrder = "sequential") =>
    explainNeverMade("bookId", { position: 5, order }, capturing);
  const failed = member({ verdict: "failed", statusCode: 409, reason: "Status: expected 201, found 409." });
  expect(said([failed])).toBe(
    'Nothing to remove: {{bookId}} was never created. Member 2, "Log in", failed: Status: expected 201, found 409.',
  );
  expect(said([{ ...failed, verdict: "skipped", statusCode: null }])).toMatch(/was not run\.$/);
  expect(said([{ ...failed, state: "cancelled", verdict: null, statusCode: null }])).toMatch(/was cancelled\.$/);
  expect(said([{ ...failed, position: 6 }]), "it comes later").toBeUndefined();
  expect(said([]), "a name that no member captures").toBeUndefined();
  expect(said([failed, member({ position: 4 })]), "something was made, and can't be removed").toBeUndefined();
  expect(said([member({ verdict: "failed", statusCode: 201 })]), "made, though not as expected").toBeUndefined();
  expect(said([failed], "parallel"), "it hands nothing on").toBeUndefined();
  expect(said([{ ...failed, phase: "setUp" }], "parallel")).toMatch(/never created/);
});

test("a test has nothing to use if the last capture before is optional and found nothing", () => {
  const said = (capturing: CapturingMember[], order: RunOrder = "sequential") =>
    explainAbsent("bookId", { position: 5, order }, capturing);
  const optional = member({ isOptional: true });
  expect(said([optional])).toBe("{{bookId}} has no value: the response to GET /books has none.");
  expect(said([{ ...optional, verdict: "failed", reason: "Status: expected 200, found 500." }])).toBe(
    "{{bookId}} has no value: GET /books failed: Status: expected 200, found 500.",
  );
  expect(said([{ ...optional, verdict: "skipped" }])).toBe("{{bookId}} has no value: GET /books was not run.");
  expect(said([member({}), { ...optional, position: 3 }])).toMatch(/has none/);
  expect(said([optional, member({ position: 3 })]), "a later one has to find it").toBeUndefined();
  expect(said([member({ ...optional, position: 6 })]), "it comes later").toBeUndefined();
  expect(said([optional], "parallel"), "it hands nothing on").toBeUndefined();
  expect(said([])).toBeUndefined();
});
