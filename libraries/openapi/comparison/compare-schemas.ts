import { getMember, isRecord, type JsonRecord, toList, toRecord, toText } from "../../json/json-value.ts";
import type { Direction, SampleSource } from "../sample/sampler.ts";
import type { ChangeReasons } from "./change-reasons.ts";

/** The schemas of both versions, by reference. */
export interface SchemaSides {
  before: SampleSource;
  after: SampleSource;
}

const deepest = 10;

/** Records how the schema of one value changed, from the point of view of its sender (request) or reader (response). */
export class SchemaComparison {
  readonly #seen = new Set<string>();

  constructor(
    private readonly sides: SchemaSides,
    private readonly direction: Direction,
    private readonly reasons: ChangeReasons,
  ) {}

  /** @param called names the value in a sentence: `"name" of the request body` */
  compare(rawBefore: unknown, rawAfter: unknown, called: string, depth = 0): void {
    if (depth > deepest) return;
    const pair = `${toText(getMember(rawBefore, "$ref"))} ${toText(getMember(rawAfter, "$ref"))}`;
    if (pair !== " ") {
      if (this.#seen.has(pair)) return;
      this.#seen.add(pair);
    }
    const before = resolveSchema(rawBefore, this.sides.before);
    const after = resolveSchema(rawAfter, this.sides.after);
    this.#compareTypes(before, after, called);
    this.#compareEnums(before, after, called);
    this.#compareBounds(before, after, called);
    this.#compareProperties(before, after, called, depth);
    if (before.items !== undefined && after.items !== undefined) {
      this.compare(before.items, after.items, `an item of ${called}`, depth + 1);
    }
    if (isRecord(before.additionalProperties) && isRecord(after.additionalProperties)) {
      this.compare(before.additionalProperties, after.additionalProperties, `a member of ${called}`, depth + 1);
    }
    for (const word of ["allOf", "oneOf", "anyOf"]) this.#compareAlternatives(word, before, after, called, depth);
  }

  get #isRequest(): boolean {
    return this.direction === "request";
  }

  #compareTypes(before: JsonRecord, after: JsonRecord, called: string): void {
    const old = getTypes(before);
    const now = getTypes(after);
    if (old.length > 0 || now.length > 0) {
      const accepts = (types: string[], type: string) =>
        types.length === 0 || types.includes(type) || (type === "integer" && types.includes("number"));
      const lost = old.filter((type) => !accepts(now, type));
      const gained = now.filter((type) => !accepts(old, type));
      const opened = old.length > 0 && now.length === 0;
      const closed = old.length === 0 && now.length > 0;
      const breaks = this.#isRequest ? lost.length > 0 || closed : gained.length > 0 || opened;
      if (lost.length > 0 || gained.length > 0 || opened || closed) {
        const words = `The type of ${called} changed from ${old.join(" or ") || "anything"} to ${now.join(" or ") || "anything"}.`;
        if (breaks) this.reasons.breaks(words);
        else this.reasons.notes(words);
      }
    }
    const [oldFormat, newFormat] = [toText(before.format), toText(after.format)];
    if (oldFormat === newFormat) return;
    const words = `The format of ${called} changed from ${oldFormat || "none"} to ${newFormat || "none"}.`;
    const loosens = this.#isRequest ? newFormat === "" : oldFormat === "";
    if (loosens) this.reasons.notes(words);
    else this.reasons.breaks(words);
  }

  #compareEnums(before: JsonRecord, after: JsonRecord, called: string): void {
    const getValues = (schema: JsonRecord) => (schema.const === undefined ? schema.enum : [schema.const]);
    const [old, now] = [getValues(before), getValues(after)];
    if (!Array.isArray(old) && !Array.isArray(now)) return;
    const show = (values: unknown[]) =>
      values
        .slice(0, 5)
        .map((value) => JSON.stringify(value))
        .join(", ");
    if (!Array.isArray(old) || !Array.isArray(now)) {
      const words = `${sentence(called)} ${Array.isArray(now) ? `is limited to ${show(now)}` : "is no longer limited to listed values"}.`;
      if (this.#isRequest === Array.isArray(now)) this.reasons.breaks(words);
      else this.reasons.notes(words);
      return;
    }
    const known = (values: unknown[]) => new Set(values.map((value) => JSON.stringify(value)));
    const [oldSet, newSet] = [known(old), known(now)];
    const removed = old.filter((value) => !newSet.has(JSON.stringify(value)));
    const added = now.filter((value) => !oldSet.has(JSON.stringify(value)));
    if (removed.length > 0) {
      const words = `${sentence(called)} can no longer be ${show(removed)}.`;
      if (this.#isRequest) this.reasons.breaks(words);
      else this.reasons.notes(words);
    }
    if (added.length > 0) {
      const words = `${sentence(called)} can now be ${show(added)} too.`;
      if (this.#isRequest) this.reasons.notes(words);
      else this.reasons.breaks(words);
    }
  }

  #compareBounds(before: JsonRecord, after: JsonRecord, called: string): void {
    for (const [word, sign] of bounds) {
      const [old, now] = [getMember(before, word), getMember(after, word)];
      if (JSON.stringify(old) === JSON.stringify(now)) continue;
      const tighter =
        typeof now === "number"
          ? typeof old !== "number" || (now - old) * sign > 0
          : now !== undefined && now !== false;
      const words = `"${word}" of ${called} changed from ${JSON.stringify(old) ?? "none"} to ${JSON.stringify(now) ?? "none"}.`;
      if (this.#isRequest && tighter) this.reasons.breaks(words);
      else this.reasons.notes(words);
    }
  }

  #compareProperties(before: JsonRecord, after: JsonRecord, called: string, depth: number): void {
    const [old, now] = [toRecord(before.properties), toRecord(after.properties)];
    const [oldRequired, newRequired] = [new Set(toList(before.required)), new Set(toList(after.required))];
    for (const name of Object.keys(old)) {
      const own = `"${name}" of ${called}`;
      if (!Object.hasOwn(now, name)) {
        if (this.#isRequest && after.additionalProperties !== false)
          this.reasons.notes(`${own} is no longer described.`);
        else this.reasons.breaks(`${own} is gone.`);
        continue;
      }
      this.compare(old[name], now[name], own, depth + 1);
    }
    for (const name of Object.keys(now)) {
      if (Object.hasOwn(old, name)) continue;
      const words = `"${name}" of ${called} is new${newRequired.has(name) ? " and required" : ""}.`;
      if (this.#isRequest && newRequired.has(name)) this.reasons.breaks(words);
      else this.reasons.notes(words);
    }
    for (const name of newRequired) {
      if (oldRequired.has(name) || !Object.hasOwn(old, String(name))) continue;
      const words = `"${String(name)}" of ${called} is required now.`;
      if (this.#isRequest) this.reasons.breaks(words);
      else this.reasons.notes(words);
    }
    for (const name of oldRequired) {
      if (newRequired.has(name) || !Object.hasOwn(now, String(name))) continue;
      const words = `"${String(name)}" of ${called} is no longer required.`;
      if (this.#isRequest) this.reasons.notes(words);
      else this.reasons.breaks(words);
    }
  }

  #compareAlternatives(word: string, before: JsonRecord, after: JsonRecord, called: string, depth: number): void {
    const [old, now] = [toList(before[word]), toList(after[word])];
    if (old.length === now.length) {
      for (const [index, one] of old.entries()) {
        this.compare(one, now[index], word === "allOf" ? called : `alternative ${index + 1} of ${called}`, depth + 1);
      }
      return;
    }
    const fewer = now.length < old.length;
    const words = `${sentence(called)} has ${now.length} parts under "${word}" where it had ${old.length}.`;
    const loosens = word === "allOf" ? fewer : !fewer;
    if (loosens === this.#isRequest) this.reasons.notes(words);
    else this.reasons.breaks(words);
  }
}

/** Keywords and the direction in which they become stricter. */
const bounds: [word: string, sign: 1 | -1][] = [
  ["minimum", 1],
  ["maximum", -1],
  ["exclusiveMinimum", 1],
  ["exclusiveMaximum", -1],
  ["minLength", 1],
  ["maxLength", -1],
  ["minItems", 1],
  ["maxItems", -1],
  ["minProperties", 1],
  ["maxProperties", -1],
  ["multipleOf", 1],
  ["pattern", 1],
  ["uniqueItems", 1],
];

function resolveSchema(raw: unknown, source: SampleSource): JsonRecord {
  let value = raw;
  for (let hops = 0; hops < 20; hops++) {
    const reference = getMember(value, "$ref");
    if (typeof reference !== "string") break;
    value = source.find(reference);
  }
  return toRecord(value);
}

function getTypes(schema: JsonRecord): string[] {
  const types = (Array.isArray(schema.type) ? schema.type : [schema.type]).filter((type) => typeof type === "string");
  if (schema.nullable === true && types.length > 0) types.push("null");
  return [...new Set(types as string[])].sort();
}

function sentence(called: string): string {
  return called[0]!.toUpperCase() + called.slice(1);
}
