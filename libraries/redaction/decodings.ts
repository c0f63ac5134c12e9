import { decodeHTML } from "entities";

/** A text, or the result of decoding it. */
export interface View {
  bytes: Uint8Array;
  /** Start offset of each byte in the text, followed by the end offset of the last byte. */
  at: Int32Array;
  /** Decoded from text that may only look encoded. */
  isGuess: boolean;
}

export function toView(text: string): View {
  const bytes = Buffer.from(text, "utf8");
  const at = new Int32Array(bytes.length + 1);
  if (bytes.length === text.length) for (let index = 0; index < at.length; index += 1) at[index] = index;
  else {
    let byte = 0;
    for (let index = 0; index < text.length; ) {
      const point = text.codePointAt(index)!;
      const width = point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x1_0000 ? 3 : 4;
      at.fill(index, byte, byte + width);
      byte += width;
      index += point < 0x1_0000 ? 1 : 2;
    }
    at[byte] = text.length;
  }
  return { bytes, at, isGuess: false };
}

/** @param minBytes minimum number of bytes worth decoding */
export function listDecodings(view: View, minBytes: number): View[] {
  const texts = [decodeEscapes(view), decodeQuotedPrintable(view)].filter((decoded) => decoded !== undefined);
  if (!Number.isFinite(minBytes)) return texts;
  return [...texts, ...decodeBase64Runs(view, minBytes), ...decodeHexRuns(view, minBytes)];
}

/** Collects decoded bytes with their offsets in the original text. */
class ByteCollector {
  #bytes: Uint8Array;
  #at: Int32Array;
  #length = 0;

  constructor(
    readonly source: View,
    maxBytes: number,
  ) {
    this.#bytes = new Uint8Array(maxBytes);
    this.#at = new Int32Array(maxBytes + 1);
  }

  add(byte: number, from: number): void {
    this.#bytes[this.#length] = byte;
    this.#at[this.#length] = this.source.at[from]!;
    this.#length += 1;
  }

  addPoint(point: number, from: number): void {
    for (const byte of Buffer.from(point > 0x10_ffff ? "\ufffd" : String.fromCodePoint(point))) this.add(byte, from);
  }

  end(to: number, isGuess = this.source.isGuess): View {
    this.#at[this.#length] = this.source.at[to]!;
    return { bytes: this.#bytes.subarray(0, this.#length), at: this.#at.subarray(0, this.#length + 1), isGuess };
  }
}

const hexValue = new Int8Array(256).fill(-1);
for (const [value, digits] of [..."0123456789abcdef"].entries()) {
  hexValue[digits.charCodeAt(0)] = value;
  hexValue[digits.toUpperCase().charCodeAt(0)] = value;
}

/** Reads exactly `digits` hex digits; -1 when there are fewer. */
function readHex(bytes: Uint8Array, from: number, digits: number): number {
  let value = 0;
  for (let at = from; at < from + digits; at += 1) {
    const digit = at < bytes.length ? hexValue[bytes[at]!]! : -1;
    if (digit < 0) return -1;
    value = value * 16 + digit;
  }
  return value;
}

const controls: Record<string, number> = { b: 8, t: 9, n: 10, f: 12, r: 13 };

interface Escape {
  length: number;
  /** A byte of any character set, or a character. */
  byte?: number;
  points?: number[];
}

function readBackslash(bytes: Uint8Array, from: number): Escape | undefined {
  const kind = String.fromCharCode(bytes[from + 1] ?? 0);
  if (kind === "u" || kind === "U") {
    const digits = kind === "u" ? 4 : 8;
    const unit = readHex(bytes, from + 2, digits);
    const isHigh = unit >= 0xd800 && unit < 0xdc00 && bytes[from + 6] === 0x5c && bytes[from + 7] === 0x75;
    const low = isHigh ? readHex(bytes, from + 8, 4) : -1;
    if (low >= 0xdc00 && low < 0xe000)
      return { length: 12, points: [(unit - 0xd800) * 0x400 + low - 0xdc00 + 0x1_0000] };
    return unit < 0 ? undefined : { length: 2 + digits, points: [unit] };
  }
  if (kind === "x") {
    const byte = readHex(bytes, from + 2, 2);
    return byte < 0 ? undefined : { length: 4, byte };
  }
  if (kind in controls) return { length: 2, byte: controls[kind] };
  return /["'/\\]/.test(kind) ? { length: 2, byte: bytes[from + 1] } : undefined;
}

const maxEntityLength = 34;

function readEntity(bytes: Uint8Array, from: number): Escape | undefined {
  const input = Buffer.from(bytes.buffer, bytes.byteOffset + from, Math.min(maxEntityLength, bytes.length - from));
  const written = /^&(?:#\d{1,7};?|#[xX][0-9a-fA-F]{1,6};?|[A-Za-z][A-Za-z0-9]{1,31};)/.exec(
    input.toString("latin1"),
  )?.[0];
  if (written === undefined) return undefined;
  const decoded = decodeHTML(written);
  if (decoded === written || Buffer.byteLength(decoded) > written.length) return undefined;
  return { length: written.length, points: [...decoded].map((character) => character.codePointAt(0)!) };
}

function readPercent(bytes: Uint8Array, from: number): Escape | undefined {
  const byte = readHex(bytes, from + 1, 2);
  if (byte >= 0) return { length: 3, byte };
  const unit = bytes[from + 1] === 0x75 ? readHex(bytes, from + 2, 4) : -1;
  return unit < 0 ? undefined : { length: 6, points: [unit] };
}

/**
 * Decodes escapes of URLs, of JSON and other languages, and of HTML; removes NULs, which UTF-16 has between letters.
 */
export function decodeEscapes(view: View): View | undefined {
  const { bytes } = view;
  let decoded: ByteCollector | undefined;
  const begin = (before: number) => {
    const growing = new ByteCollector(view, bytes.length);
    for (let at = 0; at < before; at += 1) growing.add(bytes[at]!, at);
    return growing;
  };
  for (let at = 0; at < bytes.length; ) {
    const byte = bytes[at]!;
    let found: Escape | undefined;
    if (byte === 0x25) found = readPercent(bytes, at);
    else if (byte === 0x5c) found = readBackslash(bytes, at);
    else if (byte === 0x26) found = readEntity(bytes, at);
    else if (byte === 0) found = { length: 1, points: [] };
    if (!found) decoded?.add(byte, at);
    else {
      decoded ??= begin(at);
      if (found.byte !== undefined) decoded.add(found.byte, at);
      for (const point of found.points ?? []) decoded.addPoint(point, at);
    }
    at += found?.length ?? 1;
  }
  return decoded?.end(bytes.length);
}

/** RFC 2045, 6.7: `=` and two hex digits, or `=` at the end of a line to be continued. */
function decodeQuotedPrintable(view: View): View | undefined {
  const { bytes } = view;
  if (!bytes.includes(0x3d)) return undefined;
  const decoded = new ByteCollector(view, bytes.length);
  let changed = false;
  for (let at = 0; at < bytes.length; ) {
    const isEscape = bytes[at] === 0x3d;
    const byte = isEscape ? readHex(bytes, at + 1, 2) : -1;
    const lineBreak = isEscape ? lineBreakAt(bytes, at + 1) : 0;
    if (byte >= 0) decoded.add(byte, at);
    else if (lineBreak === 0) decoded.add(bytes[at]!, at);
    changed ||= byte >= 0 || lineBreak > 0;
    at += byte >= 0 ? 3 : 1 + lineBreak;
  }
  return changed ? decoded.end(bytes.length) : undefined;
}

function lineBreakAt(bytes: Uint8Array, at: number): number {
  if (bytes[at] === 0x0a) return 1;
  return bytes[at] === 0x0d && bytes[at + 1] === 0x0a ? 2 : 0;
}

const base64Value = new Int8Array(256).fill(-1);
for (const [value, character] of [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"].entries())
  base64Value[character.charCodeAt(0)] = value;
base64Value[0x2d] = 62;
base64Value[0x5f] = 63;

const isBlank = (byte: number | undefined) => byte === 0x20 || byte === 0x09 || byte === 0x0d || byte === 0x0a;

/** Terminates a run of digits. */
const runEnd = -1;
/** Separates the decoded bytes of different runs; no secret contains it. */
const between = 0x01;

/**
 * Positions of consecutive digits: runs of a minimum length, each terminated by `runEnd`.
 * @param skipAt number of non-digit bytes to skip within a run; 0 ends the run
 */
function listRuns(bytes: Uint8Array, minDigits: number, values: Int8Array, skipAt: (at: number) => number): Int32Array {
  const positions = new Int32Array(bytes.length + 1);
  let length = 0;
  let runFrom = 0;
  for (let at = 0; at <= bytes.length; ) {
    if (at < bytes.length && values[bytes[at]!]! >= 0) {
      const prefix = length === runFrom ? 0 : skipAt(at);
      if (prefix === 0) positions[length++] = at;
      at += prefix || 1;
      continue;
    }
    const skipped = at < bytes.length && length > runFrom ? skipAt(at) : 0;
    if (skipped === 0) {
      length = length - runFrom >= minDigits ? length : runFrom;
      if (length > runFrom) positions[length++] = runEnd;
      runFrom = length;
    }
    at += skipped || 1;
  }
  return positions.subarray(0, length);
}

/** Bit offsets at which the first byte of a run may begin. */
const base64Shifts = [0, 2, 4, 6];
const hexShifts = [0, 4];

/**
 * Base64 and base64url, also across lines. The position of a run within a quantum is unknown, so all four are tried.
 */
function decodeBase64Runs(view: View, minBytes: number): View[] {
  const { bytes } = view;
  const positions = listRuns(bytes, Math.ceil((minBytes * 8) / 6), base64Value, (at) => {
    if (lineBreakAt(bytes, at) === 0) return 0;
    let end = at + 1;
    while (isBlank(bytes[end])) end += 1;
    return end - at;
  });
  return positions.length === 0
    ? []
    : base64Shifts.map((shift) => decodeDigits(view, positions, base64Value, 6, shift));
}

const isHexSeparator = (byte: number | undefined) => isBlank(byte) || byte === 0x3a || byte === 0x2d || byte === 0x2c;

/** Hex digits, also separated or prefixed with `0x`. The first digit of a byte is unknown, so both are tried. */
function decodeHexRuns(view: View, minBytes: number): View[] {
  const { bytes } = view;
  const positions = listRuns(bytes, 2 * minBytes, hexValue, (at) => {
    if (bytes[at] === 0x30 && (bytes[at + 1]! | 0x20) === 0x78) return 2;
    return isHexSeparator(bytes[at]) ? 1 : 0;
  });
  return positions.length === 0 ? [] : hexShifts.map((shift) => decodeDigits(view, positions, hexValue, 4, shift));
}

function decodeDigits(view: View, positions: Int32Array, values: Int8Array, digitBits: number, shift: number): View {
  const decoded = new ByteCollector(view, positions.length);
  let bits = -shift;
  let buffer = 0;
  for (let at = 0; at < positions.length; at += 1) {
    const position = positions[at]!;
    if (position === runEnd) {
      decoded.add(between, positions[at - 1]! + 1);
      bits = -shift;
      continue;
    }
    buffer = ((buffer << digitBits) | values[view.bytes[position]!]!) & 0xffff;
    bits += digitBits;
    if (bits < 8) continue;
    bits -= 8;
    // The byte began in the previous digit.
    decoded.add((buffer >> bits) & 0xff, positions[at - 1]!);
  }
  return decoded.end(view.bytes.length, true);
}
