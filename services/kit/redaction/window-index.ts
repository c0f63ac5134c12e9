import { type Pattern, windowBytes } from "./patterns.ts";

/** Letters of either case are the same, and so are a plus and the space it stands for in forms. */
const fold = Uint8Array.from({ length: 256 }, (_, byte) => (byte >= 0x41 && byte <= 0x5a ? byte + 32 : byte));
fold[0x2b] = 0x20;

/** Found in a guess at what was encoded, fewer bytes than these are chance. */
const shortestInGuess = 4;
const factor = 0x01000193;
const filterBits = 16;

interface Windows {
  length: number;
  /** Of the hash, so that most positions cost one look. */
  filter: Uint8Array;
  byHash: Map<number, { bytes: Uint8Array; from: number }[]>;
  /** What a byte leaving the window took part in its hash with. */
  leaving: number;
}

/** Finds any of many patterns, whole or in parts of 8 bytes, in one pass for each length there is. */
export class WindowIndex {
  readonly #windows: Windows[] = [];
  readonly shortest: number;
  readonly shortestGuess: number;

  constructor(patterns: readonly Pattern[]) {
    for (const { bytes, inParts } of patterns) {
      const folded = bytes.map((byte) => fold[byte]!);
      const length = inParts ? windowBytes : folded.length;
      const windows = this.#windowsOf(length);
      for (let from = 0; from + length <= folded.length; from += 1) addWindow(windows, folded, from);
    }
    const lengths = this.#windows.map(({ length }) => length);
    this.shortest = Math.min(...lengths);
    this.shortestGuess = Math.min(...lengths.filter((length) => length >= shortestInGuess));
  }

  /** @param shortest of the windows to look for */
  search(bytes: Uint8Array, shortest: number, found: (from: number, to: number) => void): void {
    for (const windows of this.#windows) if (windows.length >= shortest) searchFor(windows, bytes, found);
  }

  #windowsOf(length: number): Windows {
    let windows = this.#windows.find((known) => known.length === length);
    if (!windows) {
      let leaving = 1;
      for (let power = 1; power < length; power += 1) leaving = Math.imul(leaving, factor);
      windows = { length, filter: new Uint8Array(1 << filterBits), byHash: new Map(), leaving };
      this.#windows.push(windows);
    }
    return windows;
  }
}

function hashOf(folded: Uint8Array, from: number, length: number): number {
  let hash = 0;
  for (let at = from; at < from + length; at += 1) hash = (Math.imul(hash, factor) + folded[at]!) | 0;
  return hash;
}

const slotOf = (hash: number) => (hash ^ (hash >>> filterBits)) & ((1 << filterBits) - 1);

function addWindow({ length, filter, byHash }: Windows, bytes: Uint8Array, from: number): void {
  const hash = hashOf(bytes, from, length);
  filter[slotOf(hash)] = 1;
  const known = byHash.get(hash);
  if (!known) byHash.set(hash, [{ bytes, from }]);
  else if (!known.some((one) => isSame(one, length, bytes, from))) known.push({ bytes, from });
}

function isSame(window: { bytes: Uint8Array; from: number }, length: number, bytes: Uint8Array, from: number): boolean {
  for (let at = 0; at < length; at += 1) if (window.bytes[window.from + at] !== fold[bytes[from + at]!]) return false;
  return true;
}

function searchFor(windows: Windows, bytes: Uint8Array, found: (from: number, to: number) => void): void {
  const { length, filter, byHash, leaving } = windows;
  let hash = 0;
  for (let end = 0; end < bytes.length; end += 1) {
    const from = end - length + 1;
    if (from > 0) hash = (hash - Math.imul(leaving, fold[bytes[from - 1]!]!)) | 0;
    hash = (Math.imul(hash, factor) + fold[bytes[end]!]!) | 0;
    if (from < 0 || filter[slotOf(hash)] === 0) continue;
    if (byHash.get(hash)?.some((window) => isSame(window, length, bytes, from))) found(from, end + 1);
  }
}
