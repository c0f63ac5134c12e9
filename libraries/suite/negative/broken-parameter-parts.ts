import type { OperationParameter } from "#contracts/api-registry/operations.ts";
import type { Json } from "#libraries/json/json.ts";
import { isRecord, type JsonRecord, toTexts } from "#libraries/json/json-value.ts";
import { writeJson } from "#libraries/json/write-json.ts";
import { formatValue } from "#libraries/openapi/parameter.ts";
import { isHiddenIn } from "#libraries/openapi/sample/sample-source.ts";
import { makeSample, type SampleSource } from "#libraries/openapi/sample/sampler.ts";
import { ValueChecker } from "#libraries/openapi/sample/value-checker.ts";
import type { BrokenRule } from "./broken-rule.ts";
import { listBrokenTexts } from "./broken-texts.ts";
import { listBrokenValues } from "./broken-values.ts";
import { arrives, arrivesAmong, breaksAt, toBrokenParameter } from "./parameter-rule.ts";
import { breaksOnly, readPlainSchema } from "./plain-schema.ts";

const undocumented = "notDocumented";

/** The rules of a list in a parameter: of one item, and of how many there are. */
export function listBrokenItems(parameter: OperationParameter, schema: JsonRecord, source: SampleSource): BrokenRule[] {
  const { in: place, style } = parameter;
  const usual = { path: /^(simple|label|matrix)$/, query: /^form$|Delimited$/, header: /^simple$/, cookie: /^form$/ };
  if (place === "querystring" || !usual[place].test(style)) return [];
  const valid = findValid(parameter, source);
  const others = Array.isArray(valid) && valid.every((item) => isPart(item, parameter)) ? valid : [];
  const item = readPlainSchema(schema.items, source);
  // One item needs no delimiter.
  const rest = Number(schema.minItems ?? 1) > 1 ? others.slice(1) : [];
  const isSendable = (text: string) => (rest.length > 0 ? arrivesAmong : arrives)(text, parameter);
  const ofItem = (item ? listBrokenTexts(item, source, isSendable) : [])
    .map(({ value, broken }) => ({ value: [value, ...rest], broken }))
    .filter(({ value }) => breaksAt([0], value, parameter, source))
    .map(({ value, broken }) => toBrokenParameter(parameter, [0], broken, writeList(value)));
  // A cookie is no place for several items.
  if (place === "cookie" || others.length === 0) return ofItem;
  const found = new Map<string, BrokenRule>();
  for (const broken of listBrokenValues({ ...schema, nullable: true })) {
    const value = broken.change(others);
    // What has no items is not sent.
    if (found.has(broken.rule) || !Array.isArray(value) || value.length === 0) continue;
    if (!value.every((one) => isPart(one, parameter)) || !breaksOnly(value, broken.keyword, schema, source)) continue;
    if (!breaksAt([], value, parameter, source)) continue;
    const text = writeList(value);
    if (text.length <= longestList) found.set(broken.rule, toBrokenParameter(parameter, [], broken, text));
  }
  return [...ofItem, ...found.values()];
}

/** Characters: a longer address is refused as such. */
const longestList = 1_000;

/**
 * The rules of a flat object in a parameter: of its members, and which it has. Deeper levels have no defined form. An exploded
 * object of the style `form` is not broken: its members can't be distinguished from other parameters.
 */
export function listBrokenMembers(
  parameter: OperationParameter,
  schema: JsonRecord,
  source: SampleSource,
): BrokenRule[] {
  const { in: place, style, explode } = parameter;
  const usual = { path: /^(simple|label|matrix)$/, query: explode ? /^deepObject$/ : /^(form|deepObject)$/ };
  if ((place !== "path" && place !== "query") || !usual[place].test(style)) return [];
  const made = findValid(parameter, source);
  if (!isRecord(made)) return [];
  const valid = Object.fromEntries(Object.entries(made).filter(([name, value]) => isMember(name, value, parameter)));
  if (!new ValueChecker("request", source).isValid(valid, parameter.schema)) return [];
  const required = new Set(toTexts(schema.required));
  const rules: BrokenRule[] = [];

  for (const [name, raw] of Object.entries(isRecord(schema.properties) ? schema.properties : {})) {
    if (isHiddenIn("request", raw, source) || !isName(name)) continue;
    const isRequired = required.has(name);
    if (isRequired) offer([name], [], { words: "is missing", keyword: "required", rank: 0 }, without(valid, name));
    const plain = readPlainSchema(raw, source);
    const broken = plain ? listBrokenTexts(plain, source, (text) => arrivesAmong(text, parameter), valid[name]) : [];
    for (const { broken: one, value } of broken) {
      offer([name], [name], { ...one, rank: one.rank + (isRequired ? 0 : 1) }, { ...valid, [name]: value });
    }
  }
  if (schema.additionalProperties === false) {
    const broken = { words: "has a member that is not documented", keyword: "additionalProperties", rank: 4 };
    offer([], [undocumented], broken, { ...valid, [undocumented]: "a" });
  }
  return rules;

  /** Keeps it if exactly one rule is broken, at its place. */
  function offer(
    subject: string[],
    faultAt: string[],
    broken: Parameters<typeof toBrokenParameter>[2],
    value: JsonRecord,
  ): void {
    // An object without members is not sent.
    if (Object.keys(value).length === 0 || !breaksAt(faultAt, value, parameter, source)) return;
    rules.push({ ...toBrokenParameter(parameter, subject, broken, writeJson(value as Json)), path: faultAt });
  }
}

/** The value that a valid request sends, or one that the schema allows. */
function findValid({ sample, schema }: OperationParameter, source: SampleSource): unknown {
  if (sample !== undefined && new ValueChecker("request", source).isValid(sample, schema)) return sample;
  return makeSample(schema, "request", source)?.value;
}

const isScalar = (value: unknown) => value !== null && value !== undefined && typeof value !== "object";
const isPart = (value: unknown, parameter: OperationParameter) =>
  isScalar(value) && arrivesAmong(formatValue(value), parameter);
const isName = (name: string) => /^[\w-]+$/.test(name);
const isMember = (name: string, value: unknown, parameter: OperationParameter) =>
  isName(name) && isPart(value, parameter);

function without(value: JsonRecord, name: string): JsonRecord {
  return Object.fromEntries(Object.entries(value).filter(([key]) => key !== name));
}

/** One row of a test: a query's exploded list would be several, and no row could replace them. */
function writeList([first, ...others]: unknown[]): string {
  const isText = others.length === 0 && !/^\s*[[{]/.test(formatValue(first));
  return isText ? formatValue(first) : writeJson([first, ...others] as Json);
}
