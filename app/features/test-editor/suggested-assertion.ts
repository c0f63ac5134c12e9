import type { AssertionSource, Comparison } from "#contracts/test-registry/assertions.ts";
import type { Json } from "#libraries/json/json.ts";
import { parseJson } from "#libraries/json/parse-json.ts";
import type { JsonNode } from "~/ui/json-view/json-node";
import { comparisonWords, sourceWords } from "./assertion-words.ts";
import { type JsonStep, jsonPathOf } from "./json-path-of.ts";
import { writeTarget } from "./target.ts";
import type { AssertionRow } from "./test-form-values.ts";

/** Longer texts are asserted by their start: the rest is rarely relevant, and does not fit the field. */
const longestText = 200;

/** An assertion that the value of this response passes. */
export function assertionOf(
  source: AssertionSource,
  comparison: Comparison,
  target: Json | undefined,
  property = "",
): AssertionRow {
  const written = writeTarget(target, { source, comparison });
  return { source, property, comparison, target: written.text, targetType: written.type };
}

/** The text of a value, or the start of a long one. */
export function assertionOfText(source: AssertionSource, text: string, path: string): AssertionRow {
  return text.length > longestText
    ? assertionOf(source, "startsWith", text.slice(0, 60), path)
    : assertionOf(source, "equals", text, path);
}

/** The most useful assertion for a value in a JSON body: its value, the length of a list, or the type of an object. */
export function assertionOfNode(node: JsonNode, steps: readonly JsonStep[]): AssertionRow {
  const path = jsonPathOf(steps);
  switch (node.kind) {
    case "array":
      return assertionOf("jsonPath", "lengthEquals", node.items.length, path);
    case "object":
      return assertionOf("jsonPath", "hasType", "object", path);
    case "null":
      return assertionOf("jsonPath", "isNull", undefined, path);
    case "string":
      return assertionOfText("jsonPath", node.text, path);
    default:
      return assertionOf("jsonPath", "equals", parseJson(node.text), path);
  }
}

/** The assertion as a sentence: "JSONPath $.id equals 7". */
export function assertionInWords({ source, property, comparison, target }: AssertionRow): string {
  const subject = sourceWords[source as AssertionSource].label;
  return [subject, property, comparisonWords[comparison as Comparison].label, target].filter(Boolean).join(" ");
}
