import type { Expression } from "acorn";
import type { CollectedAssertion } from "../../collection.ts";
import { reasons } from "../reasons.ts";
import { toInverse } from "./evaluate.ts";

/** One word of a chain such as `to.have.status(200)`, with its arguments if it was called. */
export interface Word {
  name: string;
  given: Expression[] | undefined;
}

/** The assertions of an expectation, or why it has none. */
export type Expectation = { assertions: CollectedAssertion[]; lost?: string } | { lost: string };

export const fillers = new Set(
  "to be been is that which and has have with at of same but does still also deep own nested itself response".split(
    " ",
  ),
);

export const synonyms: Record<string, string> = {
  eql: "equals",
  eqls: "equals",
  equal: "equals",
  eq: "equals",
  above: "greaterThan",
  gt: "greaterThan",
  greaterThan: "greaterThan",
  least: "greaterThanOrEqual",
  gte: "greaterThanOrEqual",
  greaterThanOrEqual: "greaterThanOrEqual",
  below: "lessThan",
  lt: "lessThan",
  lessThan: "lessThan",
  most: "lessThanOrEqual",
  lte: "lessThanOrEqual",
  lessThanOrEqual: "lessThanOrEqual",
  include: "contains",
  includes: "contains",
  contain: "contains",
  contains: "contains",
  string: "contains",
  oneOf: "oneOf",
};

export const assertion = (source: string, property: string | undefined, comparison: string, target?: unknown) => ({
  source,
  property,
  comparison,
  target,
});

export const later =
  "What it compares with is known only when the script runs. Add the assertion in the test's editor.";

/** The assertions of `not`. */
export function negate(found: Expectation, isNegated: boolean): Expectation {
  if (!isNegated || !("assertions" in found)) return found;
  const assertions = found.assertions.flatMap((one) => {
    // No status code is above 599.
    if (one.source === "statusCode" && Array.isArray(one.target) && one.target[1] === 599)
      return [{ ...one, comparison: "lessThan", target: one.target[0] as unknown }];
    const comparison = toInverse(one.comparison);
    return comparison ? [{ ...one, comparison }] : [];
  });
  return assertions.length === found.assertions.length && assertions.length === 1
    ? { assertions }
    : { lost: reasons.noAssertion };
}
