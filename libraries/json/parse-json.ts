import { shorten } from "../text/shorten.ts";
import { type JsonNumber, numberFromText } from "./exact-number.ts";
import type { Json, JsonObject } from "./json.ts";
import { setMember } from "./json-value.ts";

/** The text is not JSON, or exceeds the limits for JSON; `message` is a sentence for users. */
export class UnreadableJson extends Error {
  override readonly name = "UnreadableJson";
  constructor(
    message: string,
    readonly reason: "empty" | "malformed" | "too_deep",
  ) {
    super(message);
  }
}

/** Bounds the recursion of all code that walks a value. */
export const maximumJsonDepth = 500;

/**
 * A number that JavaScript may write differently: one of 16 characters, or with an exponent, a final 0 of a fraction, or
 * -0. Also matches in strings, which only costs time. It looks at a number's first and last character only in context,
 * so that times and UUIDs in strings rarely match.
 */
const maybeExact = /(?:^|[:[,\s])(?:-0|-?(?:\d+(?:\.\d+)?[eE][+-]?\d+|\d+\.\d*0|\d[\d.]{15,}))(?=[\s,\]}]|$)/;

function measureDepth(text: string): number {
  let depth = 0;
  let maxDepth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x22) {
      at += 1;
      for (; at < text.length; at += 1) {
        const inner = text.charCodeAt(at);
        if (inner === 0x5c) at += 1;
        else if (inner === 0x22) break;
      }
    } else if (code === 0x5b || code === 0x7b) {
      depth += 1;
      if (depth > maxDepth) maxDepth = depth;
    } else if (code === 0x5d || code === 0x7d) depth -= 1;
  }
  return maxDepth;
}

/** Builds the value of a text that JSON.parse has accepted, with each number as it was written. */
function parseExactly(text: string): Json {
  let at = 0;

  function skipSpace(): number {
    while (text.charCodeAt(at) <= 0x20) at += 1;
    return text.charCodeAt(at);
  }

  function readString(): string {
    const start = at;
    let hasEscape = false;
    for (at += 1; ; at += 1) {
      const code = text.charCodeAt(at);
      if (code === 0x22) break;
      if (code === 0x5c) {
        hasEscape = true;
        at += 1;
      }
    }
    at += 1;
    return hasEscape ? (JSON.parse(text.slice(start, at)) as string) : text.slice(start + 1, at - 1);
  }

  function readList(): Json[] {
    const items: Json[] = [];
    at += 1;
    if (skipSpace() !== 0x5d) {
      do items.push(readValue());
      while (skipSpace() === 0x2c && ++at);
    }
    at += 1;
    return items;
  }

  function readObject(): JsonObject {
    const members: JsonObject = {};
    at += 1;
    if (skipSpace() !== 0x7d) {
      do {
        skipSpace();
        const name = readString();
        skipSpace();
        at += 1;
        setMember(members, name, readValue());
      } while (skipSpace() === 0x2c && ++at);
    }
    at += 1;
    return members;
  }

  function readNumber(): JsonNumber {
    const start = at;
    for (let code = text.charCodeAt(at); isNumeric(code); code = text.charCodeAt(at)) at += 1;
    return numberFromText(text.slice(start, at));
  }

  function readWord<Word>(length: number, word: Word): Word {
    at += length;
    return word;
  }

  function readValue(): Json {
    switch (skipSpace()) {
      case 0x7b:
        return readObject();
      case 0x5b:
        return readList();
      case 0x22:
        return readString();
      case 0x74:
        return readWord(4, true);
      case 0x66:
        return readWord(5, false);
      case 0x6e:
        return readWord(4, null);
      default:
        return readNumber();
    }
  }

  return readValue();
}

/** A digit, `.`, `+`, `-`, `e` or `E`. */
function isNumeric(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || code === 0x2e || code === 0x2b || code === 0x2d || (code | 0x20) === 0x65;
}

/**
 * Parses JSON without losing the text of a number. Of members with the same name the last one counts.
 * @throws UnreadableJson when the text is not JSON or is nested deeper than 500 levels
 */
export function parseJson(text: string): Json {
  // Shorter texts cannot be that deep: skips a pass over most bodies.
  if (text.length > maximumJsonDepth && measureDepth(text) > maximumJsonDepth) {
    throw new UnreadableJson(`The JSON is nested deeper than ${maximumJsonDepth} levels.`, "too_deep");
  }
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch (error) {
    if (text.trim() === "") throw new UnreadableJson("The body is empty.", "empty");
    throw new UnreadableJson(`The body is not JSON: ${describeSyntaxError(error)}.`, "malformed");
  }
  return maybeExact.test(text) ? parseExactly(text) : value;
}

function describeSyntaxError(error: unknown): string {
  return shorten((error as Error).message.replace(/ in JSON at position/, " at position"), 200);
}
