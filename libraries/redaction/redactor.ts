import { ExactNumber } from "../json/exact-number.ts";
import { listDecodings, toView } from "./decodings.ts";
import { type KnownSecret, listPatterns, windowBytes } from "./patterns.ts";
import { WindowIndex } from "./window-index.ts";

/** Replaces a secret. */
export const redacted = "[secret]";

/** Replaces a text in which secrets could be nested too deep to search. */
export const withheld =
  "[withheld: this text is encoded in itself so often that not every secret in it could be found]";

export interface Redactor {
  text(text: string): string;
  /** Redacts every text and number within a JSON value, member names included. */
  value<Value>(value: Value): Value;
  /**
   * For the portal's own sentences and for names in documents, which should not contain secrets: hides only what can't
   * be there by chance, since a short secret is part of many words.
   */
  sentence(text: string): string;
}

/** Maximum nesting of encodings that are decoded. */
const maxDepth = 3;
/** Limit of bytes searched per byte of input; an ordinary text needs two, a text of base64 only a dozen. */
const maxWork = 32;

/**
 * Finds secrets, and every part of 8 or more of their bytes, in any encoding that an echo may use: the text is decoded
 * step by step (escapes of URLs, JSON, HTML and mail, base64, hex) and each step searched, in time linear in the text.
 * Case is ignored. A text that would take longer is withheld as a whole. Returns undefined when there are no secrets,
 * so that most executions pay nothing.
 */
export function createRedactor(secrets: readonly KnownSecret[]): Redactor | undefined {
  const patterns = secrets.flatMap(listPatterns);
  if (patterns.length === 0) return undefined;
  const index = new WindowIndex(patterns);
  const text = (input: string) => redact(input, index, index.minLength);
  const value = (input: unknown): unknown => {
    if (typeof input === "string") return text(input);
    if (typeof input === "number" || input instanceof ExactNumber) {
      const redactedText = text(String(input));
      return redactedText === String(input) ? input : redactedText;
    }
    if (Array.isArray(input)) return input.map(value);
    if (input === null || typeof input !== "object") return input;
    return Object.fromEntries(Object.entries(input).map(([name, member]) => [text(name), value(member)]));
  };
  return {
    text,
    value: value as Redactor["value"],
    sentence: (input) => redact(input, index, windowBytes),
  };
}

function redact(text: string, index: WindowIndex, minBytes: number): string {
  // A character takes at most three bytes; a pair of UTF-16 units takes four.
  if (3 * text.length < minBytes) return text;
  const root = toView(text);
  let hidden: Uint8Array | undefined;
  /** The parts hidden without decoding. */
  let plain: Uint8Array | undefined;
  let work = maxWork * root.bytes.length + 10_000;
  const hide = (from: number, to: number) => {
    hidden ??= new Uint8Array(text.length);
    hidden.fill(1, from, to);
  };
  let views = [root];
  for (let depth = 0; depth <= maxDepth && views.length > 0; depth += 1) {
    const next: typeof views = [];
    for (const view of views) {
      work -= view.bytes.length;
      if (work < 0) return withheld;
      const minWindow = view.isGuess ? Math.max(minBytes, index.minGuessLength) : minBytes;
      index.search(view.bytes, minWindow, (from, to) => hide(view.at[from]!, view.at[to]!));
      if (depth < maxDepth) for (const decoded of listDecodings(view, index.minGuessLength)) next.push(decoded);
    }
    views = next;
    if (depth === 0) plain = hidden?.slice();
  }
  return hidden ? replaceHidden(text, hidden, plain) : text;
}

/**
 * `=34…` may be a secret `34…` after its name, or the mail encoding of `4…`. In the first case the sign belongs to the
 * name.
 */
const escapeSign = /[=%]/;

function replaceHidden(text: string, hidden: Uint8Array, plain: Uint8Array | undefined): string {
  const parts: string[] = [];
  let from = 0;
  while (from < text.length) {
    let start = hidden.indexOf(1, from);
    if (start < 0) break;
    if (plain?.[start + 1] && !plain[start] && escapeSign.test(text[start]!)) start += 1;
    const next = hidden.indexOf(0, start);
    const end = next < 0 ? text.length : next;
    parts.push(text.slice(from, start), redacted);
    from = end;
  }
  parts.push(text.slice(from));
  return parts.join("");
}
