import { type JsonRecord, toList } from "#libraries/json/json-value.ts";
import { characterCount } from "#libraries/openapi/sample/check-scalar.ts";
import { getSchemaType } from "#libraries/openapi/sample/schema-type.ts";

/** A value that breaks one keyword of its schema. */
export interface BrokenValue {
  /** What it breaks; a member has one row for each. */
  rule: string;
  /** The broken keyword: without it the value is valid. */
  keyword: string;
  /** After the subject: "is a number, a string is documented". */
  words: string;
  /** 0 is the most valuable. */
  rank: number;
  /** Made from the valid value. */
  change(before: unknown): unknown;
}

/** Characters or items of a value that is too long. */
const longest = { text: 10_000, items: 100 };
/** Beyond it, a double is not exact. */
const largest = 1e15;

const typeWords: Record<string, string> = {
  string: "a string",
  integer: "a whole number",
  number: "a number",
  boolean: "a boolean",
  object: "an object",
  array: "a list",
};

/** Values of each type, the most telling first: servers convert many of the others. */
const wrongValues: [type: string, value: unknown][] = [
  ["string", "abc"],
  ["number", 5],
  ["boolean", true],
  ["object", {}],
  ["array", []],
];

/**
 * Formats that a syntax defines and that servers parse. Others are annotations: of a password, of bytes, of a name that a
 * document invented.
 */
const formats: Record<string, { words: string; values: string[] }> = {
  uuid: { words: "is no UUID", values: ["not-a-uuid"] },
  date: { words: "is no date", values: ["not-a-date", "2026-02-30"] },
  "date-time": { words: "is no date and time", values: ["not-a-date-time"] },
  email: { words: "is no email address", values: ["not-an-email-address"] },
  uri: { words: "is no URI", values: ["not a uri"] },
  ipv4: { words: "is no IPv4 address", values: ["999.1.1.1"] },
  ipv6: { words: "is no IPv6 address", values: ["1::2::3"] },
};

const constant = (value: unknown) => () => value;

/** Values that may break one keyword each, for the caller to check: several for one rule are alternatives, the best first. */
export function listBrokenValues(schema: JsonRecord): BrokenValue[] {
  const isListed = schema.enum !== undefined || schema.const !== undefined;
  const found = isListed ? listUnlisted(schema) : [...listWrongTypes(schema), ...listNulls(schema)];
  switch (getSchemaType(schema)) {
    case "string":
      return [...found, ...(isListed ? [] : listBrokenTexts(schema))];
    case "integer":
    case "number":
      return [...found, ...(isListed ? [] : listBrokenNumbers(schema))];
    case "array":
      return [...found, ...listBrokenLists(schema)];
    default:
      return found;
  }
}

function listUnlisted(schema: JsonRecord): BrokenValue[] {
  const isEnum = schema.enum !== undefined;
  const words = isEnum ? "is none of the enumeration" : `is not ${JSON.stringify(schema.const)}`;
  const listed = isEnum ? toList(schema.enum) : [schema.const];
  const isNumber = listed.some((one) => typeof one === "number") || /integer|number/.test(getSchemaType(schema) ?? "");
  const values = isNumber ? [9_999, -9_999, 99] : ["none-of-these", "NONE", "none", "zz"];
  const keyword = isEnum ? "enum" : "const";
  return values.map((value) => ({ rule: keyword, keyword, words, rank: 2, change: constant(value) }));
}

function listWrongTypes(schema: JsonRecord): BrokenValue[] {
  const types = [schema.type].flat().filter((type) => typeof type === "string" && type !== "null") as string[];
  const documented = types.flatMap((type) => typeWords[type] ?? []).join(" or ");
  if (documented === "") return [];
  const wrong = wrongValues.filter(
    ([type]) => !types.includes(type) && !(type === "number" && types.includes("integer")),
  );
  return wrong.map(([type, value]) => ({
    ...{ rule: "type", keyword: "type", rank: 1, change: constant(value) },
    words: `is ${typeWords[type]}, ${documented} is documented`,
  }));
}

function listNulls(schema: JsonRecord): BrokenValue[] {
  if (schema.nullable === true || schema.type === undefined) return [];
  return [{ rule: "null", keyword: "type", words: "is null", rank: 6, change: constant(null) }];
}

function listBrokenTexts(schema: JsonRecord): BrokenValue[] {
  const { minLength, maxLength, pattern, format } = schema;
  const found: BrokenValue[] = [];
  if (typeof minLength === "number" && minLength >= 1 && minLength <= longest.text) {
    const words = minLength === 1 ? "is empty" : `has ${characters(minLength - 1)}, at least ${minLength}`;
    for (const letter of minLength === 1 ? [""] : letters) {
      const change = (before: unknown) => resize(before, minLength - 1, letter);
      found.push({ rule: "minLength", keyword: "minLength", words, rank: 4, change });
    }
  }
  if (typeof maxLength === "number" && maxLength < longest.text) {
    const words = `has ${characters(maxLength + 1)}, at most ${maxLength}`;
    for (const letter of letters) {
      const change = (before: unknown) => resize(before, maxLength + 1, letter);
      found.push({ rule: "maxLength", keyword: "maxLength", words, rank: 4, change });
    }
  }
  if (typeof pattern === "string") {
    const fill = (text: string) =>
      text.repeat(Math.max(1, Number(minLength ?? 1))).slice(0, Number(maxLength ?? 1_000));
    for (const text of ["!", "~", "a", "A", "1", "é", " "]) {
      const words = "does not match its pattern";
      found.push({ rule: "pattern", keyword: "pattern", words, rank: 4, change: constant(fill(text)) });
    }
    // A pattern that is not anchored takes a text that only contains what matches.
    for (const around of [(text: string) => `${text}!`, (text: string) => `!${text}`]) {
      const change = (before: unknown) => around(typeof before === "string" && !before.includes("{{") ? before : "");
      const words = "does not match its pattern as a whole";
      found.push({ rule: "wholePattern", keyword: "pattern", words, rank: 5, change });
    }
  }
  const known = typeof format === "string" && Object.hasOwn(formats, format) ? formats[format] : undefined;
  for (const value of known?.values ?? []) {
    found.push({ rule: "format", keyword: "format", words: known!.words, rank: 3, change: constant(value) });
  }
  return found;
}

const letters = ["a", "A", "1", "-"];
const characters = (count: number) => `${count} ${count === 1 ? "character" : "characters"}`;

/** The valid text cut, or followed by more of a letter. Without placeholders, whose length is not known. */
function resize(before: unknown, length: number, letter: string): string {
  const valid = typeof before === "string" && !before.includes("{{") ? before : "";
  const missing = length - characterCount(valid);
  return missing < 0 ? [...valid].slice(0, length).join("") : valid + (letter || "a").repeat(missing);
}

function listBrokenNumbers(schema: JsonRecord): BrokenValue[] {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf, format } = schema;
  const step = isUsable(multipleOf) && multipleOf > 0 ? multipleOf : 1;
  const found: BrokenValue[] = [];
  const add = (rule: string, keyword: string, value: number, words: string, rank = 3) => {
    if (Math.abs(value) < largest)
      found.push({ rule, keyword, words: `is ${value}${words}`, rank, change: constant(value) });
  };
  if (isUsable(minimum)) {
    if (exclusiveMinimum === true) add("minimum", "minimum", minimum, `, more than ${minimum}`);
    else add("minimum", "minimum", minimum - step, `, at least ${minimum}`);
  }
  if (isUsable(exclusiveMinimum))
    add("minimum", "exclusiveMinimum", exclusiveMinimum, `, more than ${exclusiveMinimum}`);
  if (isUsable(maximum)) {
    if (exclusiveMaximum === true) add("maximum", "maximum", maximum, `, less than ${maximum}`);
    else add("maximum", "maximum", maximum + step, `, at most ${maximum}`);
  }
  if (isUsable(exclusiveMaximum))
    add("maximum", "exclusiveMaximum", exclusiveMaximum, `, less than ${exclusiveMaximum}`);
  if (isUsable(multipleOf)) {
    for (const base of [minimum, 0, maximum]) {
      if (!isUsable(base)) continue;
      const value = getSchemaType(schema) === "integer" ? base + 1 : base + multipleOf / 2;
      add("multipleOf", "multipleOf", value, `, a multiple of ${multipleOf} is documented`, 5);
    }
  }
  if (format === "int32" && maximum === undefined) add("int32", "format", 2_147_483_648, ", at most 2147483647");
  if (getSchemaType(schema) === "integer") {
    for (const base of [minimum, 1]) {
      if (isUsable(base)) add("integer", "type", base + 0.5, ", a whole number is documented", 5);
    }
  }
  return found;
}

const isUsable = (value: unknown): value is number => typeof value === "number" && Math.abs(value) < largest;

function listBrokenLists(schema: JsonRecord): BrokenValue[] {
  const { minItems, maxItems, uniqueItems } = schema;
  const found: BrokenValue[] = [];
  const items = (count: number) => `${count} ${count === 1 ? "item" : "items"}`;
  if (typeof minItems === "number" && minItems >= 1) {
    const words = minItems === 1 ? "is empty" : `has ${items(minItems - 1)}, at least ${minItems}`;
    const change = (before: unknown) => toList(before).slice(0, minItems - 1);
    found.push({ rule: "minItems", keyword: "minItems", words, rank: 4, change });
  }
  if (typeof maxItems === "number" && maxItems < longest.items) {
    const words = `has ${items(maxItems + 1)}, at most ${maxItems}`;
    const repeat = (before: unknown) => toList(before)[0] ?? "a";
    for (const make of uniqueItems === true ? [vary] : [vary, repeat]) {
      const change = (before: unknown) => Array.from({ length: maxItems + 1 }, (_, index) => make(before, index));
      found.push({ rule: "maxItems", keyword: "maxItems", words, rank: 5, change });
    }
  }
  if (uniqueItems === true) {
    const change = (before: unknown) => {
      const [first, ...others] = toList(before);
      return first === undefined ? before : [first, first, ...others.slice(1)];
    };
    found.push({ rule: "uniqueItems", keyword: "uniqueItems", words: "has equal items", rank: 5, change });
  }
  return found;
}

/** Items that differ, for a list that may have no equal ones. */
function vary(before: unknown, index: number): unknown {
  const list = toList(before);
  const [first = "a"] = list;
  if (index < list.length) return list[index];
  if (typeof first === "number") return first + index;
  return typeof first === "string" && !first.includes("{{") ? `${first}${index}` : first;
}
