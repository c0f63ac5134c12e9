import { OutsizeNumber } from "../json/json.ts";
import { listDecodings, viewOf } from "./decodings.ts";
import { type KnownSecret, listPatterns, windowBytes } from "./patterns.ts";
import { WindowIndex } from "./window-index.ts";

/** Stands where a secret stood. */
export const redacted = "[secret]";

/** Stands for a text in which secrets could hide deeper than is worth looking. */
export const withheld =
  "[withheld: this text is encoded in itself so often that not every secret in it could be found]";

export interface Redactor {
  text(text: string): string;
  /** Every text and number within a JSON value, names of members included. */
  value<Value>(value: Value): Value;
  /**
   * For a sentence of ours, or a name of a document's, in which a secret should not be: hides what can't be there by
   * chance. A secret of few letters is part of many words.
   */
  sentence(text: string): string;
}

/** How often encodings are undone, one within the other. */
const deepest = 3;
/** Bytes looked at for each one given; an ordinary text needs two, one that is all base64 a dozen. */
const mostWork = 32;

/**
 * Finds secrets, and every part of 8 or more of their bytes, in whatever encoding an echo may give them back: the text is
 * decoded step by step (escapes of URLs, JSON, HTML and mail, base64, hex) and each step searched, in time that grows
 * with the text alone. Case is ignored. A text that would take more is withheld as a whole.
 * Answers undefined when there is nothing to hide, so that most executions pay nothing.
 */
export function createRedactor(secrets: readonly KnownSecret[]): Redactor | undefined {
  const patterns = secrets.flatMap(listPatterns);
  if (patterns.length === 0) return undefined;
  const index = new WindowIndex(patterns);
  const text = (given: string) => redact(given, index, index.shortest);
  const value = (given: unknown): unknown => {
    if (typeof given === "string") return text(given);
    if (typeof given === "number" || typeof given === "bigint") {
      const shown = text(String(given));
      return shown === String(given) ? given : shown;
    }
    if (given instanceof OutsizeNumber) return text(given.text) === given.text ? given : redacted;
    if (Array.isArray(given)) return given.map(value);
    if (given === null || typeof given !== "object") return given;
    return Object.fromEntries(Object.entries(given).map(([name, member]) => [text(name), value(member)]));
  };
  return {
    text,
    value: value as Redactor["value"],
    sentence: (given) => redact(given, index, windowBytes),
  };
}

function redact(text: string, index: WindowIndex, least: number): string {
  // A character takes three bytes at most, or two of the units that are counted here and four bytes.
  if (3 * text.length < least) return text;
  const root = viewOf(text);
  let hidden: Uint8Array | undefined;
  /** What is hidden as it stands, nothing decoded. */
  let plain: Uint8Array | undefined;
  let work = mostWork * root.bytes.length + 10_000;
  const hide = (from: number, to: number) => {
    hidden ??= new Uint8Array(text.length);
    hidden.fill(1, from, to);
  };
  let views = [root];
  for (let depth = 0; depth <= deepest && views.length > 0; depth += 1) {
    const next: typeof views = [];
    for (const view of views) {
      work -= view.bytes.length;
      if (work < 0) return withheld;
      const shortest = view.isGuess ? Math.max(least, index.shortestGuess) : least;
      index.search(view.bytes, shortest, (from, to) => hide(view.at[from]!, view.at[to]!));
      if (depth < deepest) for (const decoded of listDecodings(view, index.shortestGuess)) next.push(decoded);
    }
    views = next;
    if (depth === 0) plain = hidden?.slice();
  }
  return hidden ? replaceHidden(text, hidden, plain) : text;
}

/** `=34…` may be a secret `34…` after its name, or mail's spelling of `4…`. Where the first stands, the sign is the name's. */
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
