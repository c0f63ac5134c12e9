const quote = 34;
const backslash = 92;
const comma = 44;
const colon = 58;
const openBracket = 91;
const closeBracket = 93;
const openBrace = 123;
const closeBrace = 125;

/** Index of the quote that ends the string beginning at `start`, or the text's length. */
export function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(at - 1 - backslashes) === backslash) backslashes += 1;
    if (backslashes % 2 === 0) return at;
  }
  return text.length;
}

export interface JsonMeasure {
  depth: number;
  /** Where the depth first exceeded the limit. */
  tooDeepAt: number | undefined;
  values: number;
  keys: number;
}

/**
 * Depth and size of JSON text without parsing it, in one pass without recursion: 100,000 opening brackets would parse,
 * and overflow the stack of every function that walks the result.
 */
export function measureJson(text: string, maximumDepth: number): JsonMeasure {
  const measure: JsonMeasure = { depth: 0, tooDeepAt: undefined, values: 1, keys: 0 };
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfString(text, at);
    else if (code === openBrace || code === openBracket) {
      measure.values += 1;
      if (++depth > measure.depth) measure.depth = depth;
      if (depth > maximumDepth) {
        measure.tooDeepAt = at;
        return measure;
      }
    } else if (code === closeBrace || code === closeBracket) depth -= 1;
    else if (code === comma) measure.values += 1;
    else if (code === colon) measure.keys += 1;
  }
  return measure;
}

interface Frame {
  isObject: boolean;
  index: number;
  expectsKey: boolean;
  context: unknown;
  pending: unknown;
}

export interface JsonVisitor<Context> {
  /** Called for each member or item; returns the context of its value. `undefined` skips everything below. */
  enter(context: Context, key: string | number, offset: number): Context | undefined;
}

/**
 * Walks well-formed JSON text without building values. Contexts are passed from container to member as `enter` returns
 * them.
 */
export function visitJson<Context>(text: string, root: Context, visitor: JsonVisitor<Context>): void {
  const frames: Frame[] = [];
  let next: unknown = root;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 32 || (code >= 9 && code <= 13)) continue;
    const frame = frames.at(-1);
    if (code === closeBrace || code === closeBracket) {
      frames.pop();
      continue;
    }
    if (code === comma) {
      if (frame?.isObject) frame.expectsKey = true;
      else if (frame) frame.index += 1;
      continue;
    }
    if (code === colon) continue;
    if (frame?.isObject && frame.expectsKey && code === quote) {
      const end = endOfString(text, at);
      frame.expectsKey = false;
      frame.pending =
        frame.context === undefined
          ? undefined
          : visitor.enter(frame.context as Context, JSON.parse(text.slice(at, end + 1)) as string, at);
      at = end;
      continue;
    }
    if (frame?.isObject) next = frame.pending;
    else if (frame)
      next = frame.context === undefined ? undefined : visitor.enter(frame.context as Context, frame.index, at);
    if (code === openBrace || code === openBracket) {
      const isObject = code === openBrace;
      frames.push({ isObject, index: 0, expectsKey: isObject, context: next, pending: undefined });
      continue;
    }
    at = code === quote ? endOfString(text, at) : endOfWord(text, at);
  }
}

function endOfWord(text: string, start: number): number {
  let at = start;
  while (at + 1 < text.length && /[\w.+-]/.test(text[at + 1]!)) at += 1;
  return at;
}
