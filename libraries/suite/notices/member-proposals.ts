import type { Assertion } from "#contracts/test-registry/assertions.ts";
import { isJsonNumber } from "../../json/compare-json.ts";
import { ExactNumber, isWhole } from "../../json/exact-number.ts";
import { getJsonType, type Json } from "../../json/json.ts";
import { splitJson } from "../../json/json-texts.ts";
import { setMember } from "../../json/json-value.ts";
import { hasExactNumber } from "../../json/write-json.ts";
import { type Proposal, propose, type Steps } from "./change.ts";
import { type JsonStep, toJsonPath } from "./json-steps.ts";
import type { ValueForm } from "./value-form.ts";

/** Characters of a text that is expected as a whole. */
const maxTextLength = 200;
const startLength = 60;

export function assertAt(steps: Steps, comparison: Assertion["comparison"], target?: Json): Assertion {
  const { plain, text } = target === undefined ? { plain: undefined, text: undefined } : splitJson(target);
  return {
    ...{ source: "jsonPath", property: toJsonPath(steps), comparison },
    ...(target === undefined ? {} : { target: plain }),
    ...(text === undefined ? {} : { targetJson: text }),
  };
}

/** Of a place in a list's item: that every item has it so. */
function assertItems(steps: Steps, leaf: object): Assertion[] {
  const index = steps.findIndex((step) => typeof step === "number");
  if (index < 0) return [];
  const schema = { type: "array", items: toSchema(steps.slice(index + 1), leaf) };
  return [assertAt(steps.slice(0, index), "matchesSchema", schema as Json)];
}

function toSchema([step, ...rest]: readonly JsonStep[], leaf: object): object {
  if (step === undefined) return leaf;
  if (typeof step === "number") return { type: "array", items: toSchema(rest, leaf) };
  const properties = {};
  setMember(properties, step, toSchema(rest, leaf));
  return { type: "object", required: [step], properties };
}

/** The document may be wrong: what came decides. */
export function typeName(value: Json, isInteger: boolean): string {
  return isInteger && isJsonNumber(value) && isWhole(value) ? "integer" : getJsonType(value);
}

/** That the body is as the document describes it: one assertion for every place. */
export const proposeDocumented = (isDescribed: boolean): Proposal[] =>
  isDescribed ? propose({ source: "schema", comparison: "matchesSchema" }) : [];

/** For a member that is missing, null or of another type. */
export function proposeType(steps: Steps, value: Json, isInteger: boolean): Proposal[] {
  const type = typeName(value, isInteger);
  return propose(assertAt(steps, "hasType", type), assertAt(steps, "exists"));
}

/** Of an item, or of a place in a list within a list: that it is so in every item. */
export const proposeItems = (steps: Steps, leaf: object): Proposal[] => propose(...assertItems(steps, leaf));

export function proposeForm(steps: Steps, { pattern }: ValueForm): Proposal[] {
  return propose(...assertItems(steps, { type: "string", pattern }), assertAt(steps, "matches", pattern));
}

/** For another value. A long text is expected by its beginning. */
export function proposeValue(steps: Steps, value: Json): Proposal[] {
  const isLong = typeof value === "string" && value.length > maxTextLength;
  if (isLong) return propose(assertAt(steps, "startsWith", [...value].slice(0, startLength).join("")));
  const isExact = value instanceof ExactNumber || hasExactNumber(value);
  return propose(...(isExact ? [] : assertItems(steps, { const: value })), assertAt(steps, "equals", value));
}

/** A value that the test itself sends: expected as whatever it sends. */
export function proposeSent(steps: Steps, value: Json, target: string): Proposal[] {
  const filled = assertAt(steps, "equals", value);
  const { targetJson: _, ...assertion } = { ...filled, target };
  return [{ assertion, filled }];
}
