import { expect, test } from "vitest";
import { normalizeMethod } from "./operation-key.ts";
import { findUnsteady, type Outcomes } from "./tally.ts";

/** `.` passed, `x` failed, `~` passed on a later attempt; a letter before them is another configuration. */
function unsteadyOf(results: string, before: Outcomes | null = null) {
  let configuration = "";
  const executions = [...results].flatMap((sign, index) => {
    if (/[a-w]/.test(sign)) configuration = sign;
    const verdict = ({ ".": "passed", x: "failed", "~": "flaky" } as const)[sign];
    return verdict ? [{ id: `${index}`, verdict, configuration }] : [];
  });
  return findUnsteady(executions, before).unsteady;
}

test("a test that is mended or broken once is steady, one that changes back and forth is not", () => {
  expect(unsteadyOf("xxxxx.")).toEqual([]);
  expect(unsteadyOf("..xxx")).toEqual([]);
  expect(unsteadyOf(".xx..x")).toEqual(["3", "5"]);
  expect(unsteadyOf("~")).toEqual(["0"]);
});

test("after a change of configuration, earlier outcomes do not count", () => {
  expect(unsteadyOf("a.bxa.")).toEqual([]);
  expect(unsteadyOf("a.xb.x.")).toEqual(["6"]);
});

test("earlier outcomes of the same configuration count", () => {
  const { outcomes } = findUnsteady(
    [
      { id: "0", verdict: "passed", configuration: "a" },
      { id: "1", verdict: "failed", configuration: "a" },
    ],
    null,
  );
  expect(unsteadyOf("a.", outcomes)).toEqual(["1"]);
  expect(unsteadyOf("b.", outcomes)).toEqual([]);
});

test("standard methods are compared in lower case, others as written", () => {
  expect(["GET", "Query", "LINK"].map(normalizeMethod)).toEqual(["get", "query", "LINK"]);
});
