import { type JsonRecord, toList } from "#libraries/json/json-value.ts";
import type { SampleSource } from "#libraries/openapi/sample/sampler.ts";
import { getSchemaType } from "#libraries/openapi/sample/schema-type.ts";
import { ValueChecker } from "#libraries/openapi/sample/value-checker.ts";
import { flattenSchema } from "#libraries/openapi/schema-parts.ts";
import { numberRange, textRange } from "./ranges.ts";

/** A valid value at which servers are known to fail. */
export interface Boundary {
  value: unknown;
  /** A server may refuse it all the same, such as control characters. */
  mayRefuse?: boolean;
}

/** Characters: what columns of 255 or 4,000 characters do not hold. */
const longText = 5_000;
const mostItems = 20;

/** The boundary values of a schema, those at which most servers fail first. */
export function listBoundaries(raw: unknown, source: SampleSource): Boundary[] {
  const schema = flattenSchema(raw, source);
  if (!schema) return [];
  const seen = new Set<string>();
  return [...listValues(schema, source)].filter(({ value }) => {
    const text = JSON.stringify(value);
    const isNew = !seen.has(text) && new ValueChecker("request", source).isValid(value, raw);
    seen.add(text);
    return isNew;
  });
}

function* listValues(schema: JsonRecord, source: SampleSource): Generator<Boundary> {
  if (schema.nullable === true || [schema.type].flat().includes("null")) yield { value: null };
  const listed = toList(schema.enum);
  if (listed.length > 0) {
    yield* listed.slice(0, mostItems).map((value) => ({ value }));
    return;
  }
  for (const alternative of toList(schema.oneOf ?? schema.anyOf).slice(0, 5)) {
    const flat = flattenSchema(alternative, source);
    if (flat) yield* listValues(flat, source);
  }
  switch (getSchemaType(schema)) {
    case "string":
      yield* listTexts(schema);
      return;
    case "integer":
    case "number":
      yield* listNumbers(schema).map((value) => ({ value }));
      return;
    case "boolean":
      yield* [{ value: false }, { value: true }];
      return;
    case "array":
      yield* listLists(schema, source);
  }
}

const texts: Record<string, Boundary[]> = {
  date: [
    { value: "2024-02-29" },
    { value: "1970-01-01" },
    { value: "2099-12-31" },
    { value: "0001-01-01", mayRefuse: true },
  ],
  "date-time": [
    { value: "2024-02-29T23:59:59Z" },
    { value: "2027-03-28T02:30:00+01:00" },
    { value: "2027-01-01T00:00:00.123456Z" },
    { value: "1970-01-01T00:00:00Z" },
    { value: "9999-12-31T23:59:59Z", mayRefuse: true },
  ],
  uuid: [{ value: "00000000-0000-0000-0000-000000000000", mayRefuse: true }],
};

function* listTexts(schema: JsonRecord): Generator<Boundary> {
  const { format, pattern } = schema;
  if (typeof format === "string" && texts[format]) yield* texts[format];
  if ((format !== undefined && format !== "password") || pattern !== undefined) return;
  const { minimum, maximum } = textRange(schema);
  const sized = (text: string) => {
    const characters = [...text];
    return [...characters, ...Array.from({ length: Math.max(0, minimum - characters.length) }, () => "a")]
      .slice(0, Math.min(maximum, longText))
      .join("");
  };
  yield { value: "" };
  yield { value: sized("Zoë 😀 漢字") };
  yield { value: sized('O\'Brien "quoted" \\ <b>&amp;</b> 100%') };
  yield { value: sized("a/b?c#d") };
  if (maximum <= longText) yield { value: "a".repeat(maximum) };
  if (minimum > 0 && minimum <= longText) yield { value: "a".repeat(minimum) };
  if (maximum > longText) yield { value: "a".repeat(longText), mayRefuse: true };
  yield { value: sized("a\u0000b"), mayRefuse: true };
  yield { value: sized("null") };
  yield { value: sized("0") };
  yield { value: sized("__proto__"), mayRefuse: true };
}

function listNumbers(schema: JsonRecord): number[] {
  const { minimum, maximum, step } = numberRange(schema);
  const fit = (value: number) => (step === undefined ? value : Math.round(value / step) * step);
  const values = [0, minimum, maximum, -1, 1, minimum + (step ?? 0.01), maximum - (step ?? 0.01), 2_147_483_648, 0.1];
  return values.map(fit);
}

function* listLists(schema: JsonRecord, source: SampleSource): Generator<Boundary> {
  yield { value: [] };
  const [item] = listBoundaries(schema.items, source);
  const other =
    item ?? (getSchemaType(flattenSchema(schema.items, source) ?? {}) === "string" ? { value: "a" } : undefined);
  if (!other) return;
  yield { ...other, value: [other.value] };
  if (schema.uniqueItems !== true) yield { ...other, value: [other.value, other.value] };
  const { maxItems } = schema;
  if (typeof maxItems === "number" && maxItems <= mostItems && schema.uniqueItems !== true) {
    yield { ...other, value: Array.from({ length: maxItems }, () => other.value) };
  }
}
