import { compareNumbers, isMultipleOf, isWhole, type JsonNumber } from "../../json/exact-number.ts";
import type { Json } from "../../json/json.ts";
import { canonicalText, writeJson } from "../../json/write-json.ts";
import { capitalize } from "./changes.ts";
import { type Bound, type FlatSchema, intersectTypes } from "./flat-schema.ts";
import type { Effect, SchemaWord } from "./rules.ts";
import type { Walk } from "./walk.ts";

const maxShown = 5;
const maxShownLength = 200;

/**
 * Compares what a schema says of a value itself.
 * @returns the types that both versions allow; undefined for any
 */
export function compareValues(
  walk: Walk,
  before: FlatSchema,
  after: FlatSchema,
  called: string,
): ReadonlySet<string> | undefined {
  const [old, now] = [getTypes(before), getTypes(after)];
  // Alternatives on both sides say more of themselves.
  if (before.types || after.types) compareTypes(walk, old, now, called);
  const common = intersectTypes(old, now);
  if (common?.size !== 0) {
    compareEnums(walk, before, after, called);
    const allows = (type: string) => common === undefined || common.has(type);
    if (allows("number") || allows("integer")) compareNumberWords(walk, before, after, called, common);
    if (allows("string")) compareTextSets(walk, "pattern", before.patterns, after.patterns, called);
    compareFormats(walk, before, after, called);
    for (const [word, type] of sizeWords) if (allows(type)) compareSize(walk, word, before, after, called);
  }
  compareAnnotations(walk, before, after, called);
  compareOthers(walk, before, after, called);
  return common;
}

/** Those of its alternatives, if it says none itself. */
export function getTypes({ types, groups }: FlatSchema): Set<string> | undefined {
  let found = types;
  if (found) return found;
  for (const { alternatives } of groups) {
    const all = alternatives.map(({ flat }) => getTypes(flat));
    if (all.every((one) => one !== undefined)) found = intersectTypes(found, new Set(all.flatMap((one) => [...one!])));
  }
  return found;
}

function compareTypes(
  walk: Walk,
  old: ReadonlySet<string> | undefined,
  now: ReadonlySet<string> | undefined,
  called: string,
): void {
  const accepts = (types: ReadonlySet<string>, type: string) =>
    types.has(type) || (type === "integer" && types.has("number"));
  const narrows = now !== undefined && (old === undefined || [...old].some((type) => !accepts(now, type)));
  const widens = old !== undefined && (now === undefined || [...now].some((type) => !accepts(old, type)));
  if (!narrows && !widens) return;
  const show = (types: ReadonlySet<string> | undefined) => (types ? [...types].sort().join(" or ") : "anything");
  const effect = narrows && widens ? "changed" : narrows ? "narrowed" : "widened";
  walk.report("type", effect, `The type of ${called} changed from ${show(old)} to ${show(now)}.`);
}

function compareEnums(walk: Walk, before: FlatSchema, after: FlatSchema, called: string): void {
  const [old, now] = [before.values, after.values];
  if (!old && !now) return;
  const subject = capitalize(called);
  if (!old) walk.report("enum", "narrowed", `${subject} is limited to ${showAll(now!.values())}.`);
  else if (!now) walk.report("enum", "widened", `${subject} is no longer limited to listed values.`);
  else {
    const removed = [...old].filter(([key]) => !now.has(key)).map(([, value]) => value);
    const added = [...now].filter(([key]) => !old.has(key)).map(([, value]) => value);
    if (removed.length > 0) walk.report("enum", "narrowed", `${subject} can no longer be ${showAll(removed)}.`);
    if (added.length > 0) walk.report("enum", "widened", `${subject} can now be ${showAll(added)} too.`);
  }
}

function compareNumberWords(
  walk: Walk,
  before: FlatSchema,
  after: FlatSchema,
  called: string,
  common: ReadonlySet<string> | undefined,
): void {
  const isWholeOnly = common !== undefined && !common.has("number");
  const bound = (of: Bound | undefined, step: 1 | -1) => (isWholeOnly && of ? toInclusive(of, step) : of);
  const shown = (of: Bound | undefined, word: string) =>
    of ? `${of.isExclusive ? `${word} than ` : ""}${show(of.value)}` : "none";
  for (const [word, key, step, words] of [
    ["minimum", "lower", 1, "more"],
    ["maximum", "upper", -1, "less"],
  ] as const) {
    const [old, now] = [bound(before[key], step), bound(after[key], step)];
    const order = compareBounds(old, now, step);
    if (order === 0) continue;
    const sentence = `"${word}" of ${called} changed from ${shown(old, words)} to ${shown(now, words)}.`;
    walk.report("bound", order > 0 ? "narrowed" : "widened", sentence);
  }
  const [old, now] = [before.multiples, after.multiples];
  const removed = [...old].filter(([key]) => !now.has(key)).map(([, value]) => value);
  const added = [...now].filter(([key]) => !old.has(key)).map(([, value]) => value);
  if (removed.length === 0 && added.length === 0) return;
  const narrows = removed.every((one) => added.some((other) => isMultipleOf(other, one)));
  const widens = added.every((one) => removed.some((other) => isMultipleOf(other, one)));
  const effect = narrows === widens ? "changed" : narrows ? "narrowed" : "widened";
  const list = (numbers: Iterable<JsonNumber>) => [...numbers].map(show).join(" and ") || "none";
  const sentence = `"multipleOf" of ${called} changed from ${list(old.values())} to ${list(now.values())}.`;
  walk.report("multiple-of", effect, sentence);
}

/** Above 0 of a whole number is 1 or more. */
function toInclusive(bound: Bound, step: 1 | -1): Bound {
  const { value, isExclusive } = bound;
  if (!isExclusive || typeof value !== "number" || !isWhole(value) || !Number.isSafeInteger(value + step)) return bound;
  return { value: value + step, isExclusive: false };
}

/** Positive where the new bound is stricter. */
function compareBounds(old: Bound | undefined, now: Bound | undefined, step: 1 | -1): number {
  if (!old || !now) return Number(now !== undefined) - Number(old !== undefined);
  return compareNumbers(now.value, old.value) * step || Number(now.isExclusive) - Number(old.isExclusive);
}

const sizeWords: [word: string, type: string][] = [
  ["minLength", "string"],
  ["maxLength", "string"],
  ["minItems", "array"],
  ["maxItems", "array"],
  ["minProperties", "object"],
  ["maxProperties", "object"],
];

function compareSize(walk: Walk, word: string, before: FlatSchema, after: FlatSchema, called: string): void {
  const [old, now] = [before.sizes.get(word), after.sizes.get(word)];
  if (old === undefined && now === undefined) return;
  const bound = (value: JsonNumber | undefined) => (value === undefined ? undefined : { value, isExclusive: false });
  const order = compareBounds(bound(old), bound(now), word.startsWith("min") ? 1 : -1);
  if (order === 0) return;
  const shown = (value: JsonNumber | undefined) => (value === undefined ? "none" : show(value));
  const sentence = `"${word}" of ${called} changed from ${shown(old)} to ${shown(now)}.`;
  walk.report("bound", order > 0 ? "narrowed" : "widened", sentence);
}

function compareTextSets(
  walk: Walk,
  word: SchemaWord & ("pattern" | "format"),
  old: ReadonlySet<string>,
  now: ReadonlySet<string>,
  called: string,
  decide?: (old: string, now: string) => Effect | undefined,
): void {
  const removed = [...old].filter((one) => !now.has(one));
  const added = [...now].filter((one) => !old.has(one));
  if (removed.length === 0 && added.length === 0) return;
  const list = (of: ReadonlySet<string>) => cut([...of].join(" and ")) || "none";
  const decided = removed.length === 1 && added.length === 1 ? decide?.(removed[0]!, added[0]!) : undefined;
  const effect = decided ?? (removed.length === 0 ? "narrowed" : added.length === 0 ? "widened" : "changed");
  const why = effect === "changed" ? `; which values a ${word} allows that the other refuses is not decided` : "";
  walk.report(word, effect, `The ${word} of ${called} changed from ${list(old)} to ${list(now)}${why}.`);
}

const widerFormats: Record<string, string> = { int32: "int64", float: "double" };

function compareFormats(walk: Walk, before: FlatSchema, after: FlatSchema, called: string): void {
  compareTextSets(walk, "format", before.formats, after.formats, called, (old, now) => {
    if (widerFormats[old] === now) return "widened";
    return widerFormats[now] === old ? "narrowed" : undefined;
  });
}

function compareAnnotations(walk: Walk, before: FlatSchema, after: FlatSchema, called: string): void {
  if (after.isDeprecated && !before.isDeprecated) {
    walk.add(`${walk.direction}.value.deprecated`, `${capitalize(called)} is deprecated now.`);
  } else if (before.isDeprecated !== after.isDeprecated) walk.hasOtherTexts = true;
  const [old, now] = [join(before.defaults), join(after.defaults)];
  if (old === now) return;
  if (old === "") walk.add(`${walk.direction}.default.added`, `${capitalize(called)} has a default now: ${now}.`);
  else {
    const sentence = `The default of ${called} changed from ${old} to ${now || "none"}: what a missing value means.`;
    walk.add(`${walk.direction}.default.changed`, sentence);
  }
}

/** Words whose meaning for values isn't known: any difference may break. */
function compareOthers(walk: Walk, before: FlatSchema, after: FlatSchema, called: string): void {
  if (before.others.size === 0 && after.others.size === 0) return;
  for (const word of new Set([...before.others.keys(), ...after.others.keys()])) {
    const [old, now] = [join(before.others.get(word)), join(after.others.get(word))];
    if (old === now) continue;
    if (word === "xml" && !walk.isXml) walk.hasOtherTexts = true;
    else walk.report("other", "changed", `"${word}" of ${called} changed from ${old || "none"} to ${now || "none"}.`);
  }
}

const textsOf = new WeakMap<FlatSchema, string>();

export function haveSameTexts(before: FlatSchema, after: FlatSchema): boolean {
  return getTexts(before) === getTexts(after);
}

function getTexts(flat: FlatSchema): string {
  if (flat.texts.length === 0) return "";
  let texts = textsOf.get(flat);
  if (texts === undefined) {
    texts = join(new Set(flat.texts.map(({ word, value }) => `${word}: ${canonicalText(value as Json)}`)));
    textsOf.set(flat, texts);
  }
  return texts;
}

function join(texts: ReadonlySet<string> | undefined): string {
  return texts ? [...texts].sort().join(" and ") : "";
}

function show(value: Json): string {
  return cut(writeJson(value));
}

function showAll(values: Iterable<Json>): string {
  const all = [...values];
  const shown = all.slice(0, maxShown).map(show).join(", ");
  return all.length > maxShown ? `${shown} and ${all.length - maxShown} more` : shown;
}

function cut(text: string): string {
  return text.length > maxShownLength ? `${text.slice(0, maxShownLength)}…` : text;
}
