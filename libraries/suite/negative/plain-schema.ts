import { isRecord, type JsonRecord, toList } from "#libraries/json/json-value.ts";
import type { SampleSource } from "#libraries/openapi/sample/sampler.ts";
import { ValueChecker } from "#libraries/openapi/sample/value-checker.ts";
import { flattenSchema } from "#libraries/openapi/schema-parts.ts";

/** Keywords by which one value is judged in several ways: what breaks one alternative may break others, too. */
const branching = ["oneOf", "anyOf", "allChoices", "not", "if", "dependentSchemas", "dependencies", "discriminator"];

/**
 * The keywords of a schema, its references and its `allOf`; undefined where they contradict each other or have
 * alternatives, except one beside null, as 3.1 writes what may be null.
 */
export function readPlainSchema(schema: unknown, source: SampleSource): JsonRecord | undefined {
  const flat = flattenSchema(schema, source);
  if (!flat) return undefined;
  const { anyOf, oneOf, ...own } = flat;
  const alternatives = toList(anyOf ?? oneOf);
  const others = alternatives.filter((one) => !(isRecord(one) && one.type === "null"));
  if (others.length === 1 && alternatives.length === 2 && !(anyOf && oneOf)) {
    const inner = readPlainSchema({ allOf: [own, others[0]] }, source);
    return inner && { ...inner, nullable: true };
  }
  return branching.some((keyword) => flat[keyword] !== undefined) ? undefined : flat;
}

/** Whether a value breaks this keyword of its schema, and no other. */
export function breaksOnly(value: unknown, keyword: string, schema: JsonRecord, source: SampleSource): boolean {
  const { [keyword]: _, ...others } = schema;
  const isValid = (one: JsonRecord) => new ValueChecker("request", source).isValid(value, one);
  return !isValid(schema) && isValid(others);
}
