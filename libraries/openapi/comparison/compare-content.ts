import type { MediaTypeContent } from "#contracts/api-registry/operations.ts";
import type { Json } from "../../json/json.ts";
import { isRecord, type JsonRecord, toRecord } from "../../json/json-value.ts";
import { canonicalText } from "../../json/write-json.ts";
import { type MediaType, matchesMediaType, parseMediaType } from "../../judging/media-type.ts";
import type { Direction } from "../sample/sample-source.ts";
import { capitalize } from "./changes.ts";
import type { OperationContext } from "./operation-context.ts";

/** @param called `the request body` */
export function compareContent(
  before: readonly MediaTypeContent[],
  after: readonly MediaTypeContent[],
  direction: Direction,
  called: string,
  context: OperationContext,
): void {
  const { changes } = context;
  const subject = capitalize(called);
  const used = new Set<MediaTypeContent>();
  for (const old of before) {
    const found = findCounterpart(old, after);
    if (!found) {
      changes.add(`${direction}.media-type.removed`, `${subject} can no longer be ${old.mediaType}.`);
      continue;
    }
    used.add(found.content);
    if (found.effect) {
      const sentence = `${subject} can be ${found.content.mediaType} now, where it was ${old.mediaType}.`;
      changes.add(`${direction}.media-type.${found.effect}`, sentence);
    }
    const isXml = /xml|\*/i.test(old.mediaType);
    const { noteTexts } = context;
    context.schemas.compare(old.schema, found.content.schema, direction, called, { changes, noteTexts, isXml });
    compareEncodings(old, found.content, direction, called, context);
  }
  for (const now of after) {
    if (used.has(now) || before.some((old) => findCounterpart(old, [now]))) continue;
    changes.add(`${direction}.media-type.added`, `${subject} can be ${now.mediaType} now.`);
  }
}

interface Counterpart {
  content: MediaTypeContent;
  effect?: "narrowed" | "widened";
}

function findCounterpart({ mediaType }: MediaTypeContent, after: readonly MediaTypeContent[]): Counterpart | undefined {
  const key = toKey(mediaType);
  const same = after.find((other) => toKey(other.mediaType) === key);
  if (same) return { content: same };
  const old = parseMediaType(mediaType);
  if (!old) return undefined;
  const covers = (range: MediaType | undefined, type: MediaType | undefined) =>
    range !== undefined && type !== undefined && matchesMediaType(range, type);
  const wider = after.find((other) => covers(parseMediaType(other.mediaType), old));
  if (wider) return { content: wider, effect: "widened" };
  const narrower = after.find((other) => covers(old, parseMediaType(other.mediaType)));
  return narrower && { content: narrower, effect: "narrowed" };
}

/** Types are compared without regard to case and to a charset, as when a response is judged. */
function toKey(mediaType: string): string {
  const parsed = parseMediaType(mediaType);
  if (!parsed) return mediaType;
  const parameters = [...parsed.parameters].filter(([name]) => name !== "charset").map((one) => one.join("="));
  return [`${parsed.type}/${parsed.subtype}`, ...parameters.sort()].join(";");
}

function compareEncodings(
  before: MediaTypeContent,
  after: MediaTypeContent,
  direction: Direction,
  called: string,
  context: OperationContext,
): void {
  const { encoding, prefixEncoding, itemEncoding } = before;
  const listed = (value: unknown): JsonRecord => (isRecord(value) ? value : {});
  const [old, now] = [listed(encoding), listed(after.encoding)];
  for (const name of new Set([...Object.keys(old), ...Object.keys(now)])) {
    compareEncoding(toRecord(old[name]), toRecord(now[name]), direction, `the part "${name}" of ${called}`, context);
  }
  const [oldList, newList] = [prefixEncoding, after.prefixEncoding].map((list) => (Array.isArray(list) ? list : []));
  for (let index = 0; index < Math.max(oldList!.length, newList!.length); index++) {
    const part = `part ${index + 1} of ${called}`;
    compareEncoding(toRecord(oldList![index]), toRecord(newList![index]), direction, part, context);
  }
  const each = `each part of ${called}`;
  compareEncoding(toRecord(itemEncoding), toRecord(after.itemEncoding), direction, each, context);
}

/** How one part of a body is written. */
function compareEncoding(
  old: JsonRecord,
  now: JsonRecord,
  direction: Direction,
  called: string,
  context: OperationContext,
): void {
  const { changes } = context;
  const subject = capitalize(called);
  const isWritten = ({ contentType: _, headers: __, ...words }: JsonRecord) => canonicalText(withDefaults(words));
  if (isWritten(old) !== isWritten(now)) {
    changes.add(`${direction}.encoding.changed`, `${subject} is written differently.`);
  }
  compareTypes(old, now, direction, subject, context);
  const [oldHeaders, newHeaders] = [toRecord(old.headers), toRecord(now.headers)];
  for (const name of new Set([...Object.keys(oldHeaders), ...Object.keys(newHeaders)])) {
    const [was, is] = [oldHeaders[name], newHeaders[name]].map(toRecord);
    const header = `the header ${name} of ${called}`;
    if (direction === "request" && is!.required === true && was!.required !== true) {
      changes.add("request.encoding.header-required", `T${header.slice(1)} is required now.`);
    } else if (direction === "response" && Object.hasOwn(oldHeaders, name) !== Object.hasOwn(newHeaders, name)) {
      changes.add("response.encoding.changed", `T${header.slice(1)} ${is ? "is new" : "was removed"}.`);
    }
    if (Object.hasOwn(oldHeaders, name) && Object.hasOwn(newHeaders, name)) {
      context.schemas.compare(was!.schema, is!.schema, direction, header, context);
    }
  }
}

function withDefaults(words: JsonRecord): Json {
  const { style = "form", explode = style === "form", allowReserved = false, ...others } = words;
  const own = Object.entries(others).filter(([word]) => !word.startsWith("x-"));
  return { style, explode, allowReserved, ...Object.fromEntries(own) } as Json;
}

function compareTypes(
  { contentType: old }: JsonRecord,
  { contentType: now }: JsonRecord,
  direction: Direction,
  subject: string,
  { changes }: OperationContext,
): void {
  const [before, after] = [listTypes(old), listTypes(now)];
  if (before.join() === after.join()) return;
  const covered = (type: string, by: string[]) => {
    const parsed = parseMediaType(type);
    return parsed !== undefined && by.some((one) => matchesMediaType(parseMediaType(one) ?? parsed, parsed));
  };
  const narrows = after.length > 0 && (before.length === 0 || !before.every((type) => covered(type, after)));
  const widens = before.length > 0 && (after.length === 0 || !after.every((type) => covered(type, before)));
  if (!narrows && !widens) return;
  const show = (types: string[]) => types.join(" or ") || "any type";
  const sentence = `${subject} is ${show(after)} now, not ${show(before)} as before.`;
  if (direction === "response") changes.add("response.encoding.changed", sentence);
  else changes.add(narrows ? "request.encoding.type-narrowed" : "request.encoding.type-widened", sentence);
}

function listTypes(contentType: unknown): string[] {
  if (typeof contentType !== "string") return [];
  return contentType
    .split(",")
    .map((type) => type.trim().toLowerCase())
    .sort();
}
