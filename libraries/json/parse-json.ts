import { type Json, type JsonObject, OutsizeNumber } from "./json.ts";

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
const maximumDigits = 1_000;

/**
 * Integers of 16 digits or exponents of three, which a double may not represent. Also matches in strings, which only
 * costs time.
 */
const maybeInexact = /\d{16}|\d[eE][+-]?\d{3}/;

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

/**
 * Converts a number's text to the value that represents it exactly, if there is one. Fractions are doubles, as usual.
 */
export function numberFromText(text: string): number | bigint | OutsizeNumber {
  const value = Number(text);
  const parts = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text);
  if (!parts || Number.isSafeInteger(value)) {
    const underflowed = value === 0 && parts && /[1-9]/.test(parts[2] + (parts[3] ?? ""));
    return underflowed ? new OutsizeNumber(text) : value;
  }
  const [, sign, whole = "", fraction = "", exponent = "0"] = parts;
  const shift = Number(exponent) - fraction.length;
  const digits = whole.length + Math.max(Number(exponent), 0);
  if (shift < 0) {
    const isWhole = /^0*$/.test((whole + fraction).slice(shift));
    if (!isWhole || digits > maximumDigits) return Number.isFinite(value) ? value : new OutsizeNumber(text);
    return BigInt(sign + ((whole + fraction).slice(0, shift) || "0"));
  }
  if (digits > maximumDigits) return new OutsizeNumber(text);
  return BigInt(sign + whole + fraction + "0".repeat(shift));
}

const token = /[\s]*([{}[\],:]|"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)/y;

/** Builds the value token by token. Called only after JSON.parse has accepted the text, so the grammar is valid. */
function parseExactly(text: string): Json {
  const holder: Json[] = [];
  const open: (Json[] | JsonObject)[] = [holder];
  const names: (string | undefined)[] = [undefined];
  token.lastIndex = 0;

  function add(value: Json): void {
    const parent = open.at(-1) as Json[] | JsonObject;
    if (Array.isArray(parent)) parent.push(value);
    else {
      const name = names[names.length - 1] as string;
      if (name === "__proto__") {
        Object.defineProperty(parent, name, { value, enumerable: true, configurable: true, writable: true });
      } else parent[name] = value;
      names[names.length - 1] = undefined;
    }
  }

  for (let match = token.exec(text); match; match = token.exec(text)) {
    const piece = match[1] as string;
    const first = piece[0] as string;
    if (first === "{" || first === "[") {
      const container = first === "{" ? {} : [];
      add(container);
      open.push(container);
      names.push(undefined);
    } else if (first === "}" || first === "]") {
      open.pop();
      names.pop();
    } else if (first === '"') {
      const value = JSON.parse(piece) as string;
      const expectsName = !Array.isArray(open.at(-1)) && names.at(-1) === undefined;
      if (expectsName) names[names.length - 1] = value;
      else add(value);
    } else if (first === "t") add(true);
    else if (first === "f") add(false);
    else if (first === "n") add(null);
    else if (first !== "," && first !== ":") add(numberFromText(piece));
  }
  return holder[0] as Json;
}

/**
 * Parses JSON without losing digits of integers. Of members with the same name the last one counts.
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
  return maybeInexact.test(text) ? parseExactly(text) : value;
}

function describeSyntaxError(error: unknown): string {
  const message = (error as Error).message.replace(/ in JSON at position/, " at position");
  return message.length > 200 ? `${message.slice(0, 200)}…` : message;
}

/** The same value with doubles for all numbers, for code that doesn't support bigint. Unchanged parts are shared. */
export function toPlainJson(value: Json): unknown {
  if (typeof value === "bigint") return Number(value);
  if (value instanceof OutsizeNumber) return Number(value.text);
  if (Array.isArray(value)) {
    const items = value.map(toPlainJson);
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [name, toPlainJson(member)] as const);
  return members.some(([name, member]) => member !== value[name]) ? Object.fromEntries(members) : value;
}
