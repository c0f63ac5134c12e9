import type { Json, JsonObject } from "../json/json.ts";
import { parseJson, UnreadableJson } from "../json/parse-json.ts";

export type Sequence = "events" | "lines" | "records";

const lineTypes = new Set(["x-ndjson", "ndjson", "jsonl", "x-jsonl", "jsonlines", "x-jsonlines", "json-lines"]);

/** The kind of sequence that a Content-Type names; undefined for anything else. */
export function findSequence(contentType: string | undefined): Sequence | undefined {
  const [essence = ""] = contentType?.split(";", 1) ?? [];
  const [type, subtype = ""] = essence.trim().toLowerCase().split("/");
  if (type === "text" && subtype === "event-stream") return "events";
  if (subtype === "json-seq" || subtype.endsWith("+json-seq")) return "records";
  return lineTypes.has(subtype) ? "lines" : undefined;
}

/**
 * The items of a text, in order.
 * @throws UnreadableJson for a line or record that is not JSON; its message says which
 */
export function readItems(text: string, sequence: Sequence): Json[] {
  if (sequence === "events") return readEvents(text);
  const [separator, name] = sequence === "lines" ? [/\r?\n/, "Line"] : ["\x1e", "Record"];
  return text.split(separator).flatMap((item, index) => {
    if (item.trim() === "") return [];
    try {
      return [parseJson(item)];
    } catch (error) {
      if (!(error instanceof UnreadableJson)) throw error;
      const number = sequence === "lines" ? index + 1 : index;
      throw new UnreadableJson(`${name} ${number}: ${error.message}`, error.reason);
    }
  });
}

/** https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation */
function readEvents(text: string): Json[] {
  const events: Json[] = [];
  let fields = new Map<string, string>();
  let data: string[] = [];
  let lastId: string | undefined;
  const lines = text.replace(/^\ufeff/, "").split(/\r\n|\r|\n/);
  // The last one has no line break at its end.
  lines.pop();
  for (const line of lines) {
    if (line === "") {
      if (data.length > 0) events.push(toEvent(fields, data.join("\n"), lastId));
      fields = new Map();
      data = [];
      continue;
    }
    const [, name = "", value = ""] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (name === "data") data.push(value);
    else if (name === "id" && !value.includes("\0")) lastId = value;
    else if (name === "event" || name === "retry") fields.set(name, value);
  }
  return events;
}

function toEvent(fields: ReadonlyMap<string, string>, data: string, id: string | undefined): JsonObject {
  const retry = fields.get("retry");
  return {
    event: fields.get("event") || "message",
    data: readData(data),
    ...(id === undefined ? {} : { id }),
    ...(retry !== undefined && /^\d{1,15}$/.test(retry) ? { retry: Number(retry) } : {}),
  };
}

function readData(text: string): Json {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof UnreadableJson) return text;
    throw error;
  }
}

/** Finds in the chunk the index after the last wanted item; -1 when there are not enough items yet. */
export type ItemCounter = (chunk: Uint8Array) => number;

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const recordSeparator = 0x1e;

/** @param count at least 1 */
export function createItemCounter(sequence: Sequence, count: number): ItemCounter {
  const isItemEnd = sequence === "records" ? createRecordReader() : createLineReader(sequence);
  let found = 0;
  return (chunk) => {
    for (const [index, byte] of chunk.entries()) {
      if (!isItemEnd(byte)) continue;
      found += 1;
      if (found === count) return index + 1;
    }
    return -1;
  };
}

/** Whether a byte ends an event or a line with content. */
function createLineReader(sequence: "events" | "lines"): (byte: number) => boolean {
  let line = "";
  let length = 0;
  let hasContent = false;
  let afterCarriageReturn = false;
  return (byte) => {
    const continuesBreak = afterCarriageReturn && byte === lineFeed;
    afterCarriageReturn = sequence === "events" && byte === carriageReturn;
    if (continuesBreak) return false;
    if (byte !== lineFeed && !afterCarriageReturn) {
      length += 1;
      if (sequence === "lines") hasContent ||= byte > 0x20;
      else if (length <= 5) line += String.fromCharCode(byte);
      return false;
    }
    const isEnd = hasContent && (sequence === "lines" || length === 0);
    if (sequence === "lines" || length === 0) hasContent = false;
    else if (line === "data:" || (line === "data" && length === 4)) hasContent = true;
    line = "";
    length = 0;
    return isEnd;
  };
}

/** Whether a byte ends a record: the line break after a complete JSON text. */
function createRecordReader(): (byte: number) => boolean {
  let bytes: number[] = [];
  return (byte) => {
    if (byte === recordSeparator) bytes = [];
    else bytes.push(byte);
    if (byte !== lineFeed || !isJson(bytes)) return false;
    bytes = [];
    return true;
  };
}

function isJson(bytes: number[]): boolean {
  try {
    JSON.parse(Buffer.from(bytes).toString());
    return true;
  } catch {
    return false;
  }
}
