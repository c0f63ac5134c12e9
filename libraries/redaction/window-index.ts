import { type Pattern, windowBytes } from "./patterns.ts";

/** Upper and lower case are equal, and so are a plus and the space that it encodes in forms. */
const fold = Uint8Array.from({ length: 256 }, (_, byte) => (byte >= 0x41 && byte <= 0x5a ? byte + 32 : byte));
fold[0x2b] = 0x20;

/** In text that may not be encoded at all, shorter matches are coincidence. */
const minGuessBytes = 4;
const factor = 0x01000193;
const minFilterBits = 16;
const maxFilterBits = 22;

interface Windows {
  length: number;
  /** Start of the first window by hash; further ones follow in `#next`. */
  byHash: Map<number, number>;
  /** Factor of the byte that leaves the rolling hash. */
  leaving: number;
}

/** Finds any of many patterns, whole or in parts of 8 bytes, in one pass per distinct length. */
export class WindowIndex {
  readonly #windows: Windows[] = [];
  /** All patterns, folded and concatenated. */
  readonly #bytes: Uint8Array;
  /** By start of a window: the next window with the same hash; -1 for none. */
  readonly #next: Int32Array;
  /** A filter of hashes, so that most positions cost a single access. */
  readonly #filter: Uint8Array;
  readonly #filterBits: number;
  readonly minLength: number;
  readonly minGuessLength: number;

  constructor(patterns: readonly Pattern[]) {
    const folded = new Map(
      patterns.map(({ bytes, inParts }) => {
        const foldedBytes = bytes.map((byte) => fold[byte]!);
        return [
          Buffer.from(foldedBytes).toString("latin1"),
          { letters: foldedBytes, length: inParts ? windowBytes : foldedBytes.length },
        ];
      }),
    );
    const total = [...folded.values()].reduce((sum, { letters: foldedBytes }) => sum + foldedBytes.length, 0);
    this.#bytes = new Uint8Array(total);
    this.#next = new Int32Array(total).fill(-1);
    this.#filterBits = Math.min(maxFilterBits, Math.max(minFilterBits, Math.ceil(Math.log2(total)) + 3));
    this.#filter = new Uint8Array(1 << this.#filterBits);
    let at = 0;
    for (const { letters: foldedBytes, length } of folded.values()) {
      this.#bytes.set(foldedBytes, at);
      const windows = this.#getWindows(length);
      for (let from = at; from + length <= at + foldedBytes.length; from += 1) this.#add(windows, from);
      at += foldedBytes.length;
    }
    const lengths = this.#windows.map(({ length }) => length);
    this.minLength = Math.min(...lengths);
    this.minGuessLength = Math.min(...lengths.filter((length) => length >= minGuessBytes));
  }

  /** @param minWindowLength minimum length of the windows to search for */
  search(bytes: Uint8Array, minWindowLength: number, found: (from: number, to: number) => void): void {
    for (const windows of this.#windows) if (windows.length >= minWindowLength) this.#searchFor(windows, bytes, found);
  }

  #getWindows(length: number): Windows {
    let windows = this.#windows.find((known) => known.length === length);
    if (!windows) {
      let leaving = 1;
      for (let power = 1; power < length; power += 1) leaving = Math.imul(leaving, factor);
      windows = { length, byHash: new Map(), leaving };
      this.#windows.push(windows);
    }
    return windows;
  }

  #add({ length, byHash }: Windows, from: number): void {
    let hash = 0;
    for (let at = from; at < from + length; at += 1) hash = (Math.imul(hash, factor) + this.#bytes[at]!) | 0;
    const first = byHash.get(hash);
    if (first !== undefined && this.#findSame(first, length, this.#bytes, from) >= 0) return;
    this.#next[from] = first ?? -1;
    byHash.set(hash, from);
    this.#filter[this.#getSlot(hash)] = 1;
  }

  #getSlot(hash: number): number {
    return (hash ^ (hash >>> this.#filterBits)) & ((1 << this.#filterBits) - 1);
  }

  /** The start of an equal window among those with the hash of `first`; -1 for none. */
  #findSame(first: number, length: number, bytes: Uint8Array, from: number): number {
    for (let window = first; window >= 0; window = this.#next[window]!) {
      let at = 0;
      while (at < length && this.#bytes[window + at] === fold[bytes[from + at]!]) at += 1;
      if (at === length) return window;
    }
    return -1;
  }

  #searchFor({ length, byHash, leaving }: Windows, bytes: Uint8Array, found: (from: number, to: number) => void): void {
    let hash = 0;
    for (let end = 0; end < bytes.length; end += 1) {
      const from = end - length + 1;
      if (from > 0) hash = (hash - Math.imul(leaving, fold[bytes[from - 1]!]!)) | 0;
      hash = (Math.imul(hash, factor) + fold[bytes[end]!]!) | 0;
      if (from < 0 || this.#filter[this.#getSlot(hash)] === 0) continue;
      const first = byHash.get(hash);
      if (first !== undefined && this.#findSame(first, length, bytes, from) >= 0) found(from, end + 1);
    }
  }
}
