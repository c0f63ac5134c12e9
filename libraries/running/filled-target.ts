import type { Assertion, AssertionSource, Comparison } from "#contracts/test-registry/assertions.ts";
import { ExactNumber } from "../json/exact-number.ts";
import { isJsonObject, type Json } from "../json/json.ts";
import { joinJson, splitJson } from "../json/json-texts.ts";
import { setMember } from "../json/json-value.ts";
import { parseJson, UnreadableJson } from "../json/parse-json.ts";
import { type TemplateRenderer, textOf, type Variable } from "./variables.ts";

type Place = Pick<Assertion, "source" | "comparison" | "variableType">;

/**
 * The assertion with its variables filled. A target that is nothing but one placeholder takes the type of a captured
 * value; text that has no type is read as if it were typed in its place. Decision 054.
 */
export function fillAssertion(assertion: Assertion, templates: TemplateRenderer): Assertion {
  if (!JSON.stringify(assertion).includes("{{")) return assertion;
  const { target, targetJson, property, ...rest } = assertion;
  const { plain, text } = splitJson(fillTarget(joinJson(target, targetJson), assertion, templates));
  return {
    ...rest,
    target: plain,
    ...(text === undefined ? {} : { targetJson: text }),
    ...(property === undefined ? {} : { property: templates.render(property) }),
  };
}

function fillTarget(target: Json, place: Place, templates: TemplateRenderer): Json {
  if (typeof target === "string") {
    const variable = templates.findWhole(target);
    return variable === undefined ? templates.render(target) : readVariable(variable, place);
  }
  if (Array.isArray(target)) return target.map((item) => fillTarget(item, place, templates));
  if (target === undefined || !isJsonObject(target)) return target;
  const filled: { [name: string]: Json } = {};
  for (const [name, member] of Object.entries(target)) setMember(filled, name, fillTarget(member, place, templates));
  return filled;
}

const textComparisons: readonly Comparison[] = ["startsWith", "endsWith", "matches", "notMatches", "hasType"];
const textSources: readonly AssertionSource[] = ["header", "cookie", "body", "bodySha256", "charset", "xPath", "url"];
/** What a text is compared with by these is text; size and length are numbers, and a schema is JSON. */
const equalities: readonly Comparison[] = ["equals", "notEquals", "oneOf", "noneOf", "contains", "notContains"];

function readVariable(variable: Variable, { source, comparison, variableType }: Place): Json {
  const text = textOf(variable)!;
  const { type } = typeof variable === "object" ? variable : {};
  if (variableType === "text" || textComparisons.includes(comparison) || type === "string") return text;
  const isOfText = textSources.includes(source) && equalities.includes(comparison);
  if (type === undefined) return isOfText ? text : readTyped(text);
  const value = parseJson(text);
  return isOfText && typeof value !== "number" && !(value instanceof ExactNumber) ? text : value;
}

/** Text as people type it into a field that takes JSON: `404`, `true` and `"404"` are JSON, `abc` is a text. */
export function readTyped(text: string): Json {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof UnreadableJson) return text;
    throw error;
  }
}
