import { expect, test } from "vitest";
import { runTrigger } from "#contracts/test-executioner/verdicts.ts";
import { triggerFor } from "./trigger.ts";

const requested = runTrigger.options;

test("G01: an API token starts runs of continuous integration or of a program, whatever it says", () => {
  for (const isRepetition of [false, true]) {
    expect(requested.map((trigger) => triggerFor({ kind: "token" }, trigger, isRepetition))).toEqual([
      "api",
      "api",
      "ci",
      "api",
      "api",
    ]);
  }
  expect(triggerFor({ kind: "token" })).toBe("api");
});

test("a session starts manual runs and repetitions, whatever it says", () => {
  for (const trigger of requested) {
    expect(triggerFor({ kind: "user" }, trigger)).toBe("manual");
    expect(triggerFor({ kind: "user" }, trigger, true)).toBe("rerun");
  }
});

test("a service of the portal says what started a run", () => {
  expect(requested.map((trigger) => triggerFor({ kind: "service" }, trigger))).toEqual(requested);
});
