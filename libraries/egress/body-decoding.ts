import { isUtf8 } from "node:buffer";
import type { Transform } from "node:stream";
import zlib, { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from "node:zlib";
import { type BodyCollector, type BodyListener, PlainCollector } from "./body-collector.ts";
import { EgressError, errorCode } from "./failure.ts";

const maxEncodings = 2;
/** Allowance above the cap for incompressible bodies: framing and buffered bytes. */
const encodedSlackBytes = 1_048_576;

/**
 * The codings of a Content-Encoding header, outermost first, without `identity`.
 * @throws EgressError with `body_encoding_failed` for more than two codings or an unknown one
 */
export function listEncodings(contentEncoding: string | undefined): string[] {
  if (contentEncoding === undefined) return [];
  const encodings = contentEncoding
    .toLowerCase()
    .split(",")
    .map((encoding) => encoding.trim())
    .filter((encoding) => encoding !== "" && encoding !== "identity")
    .reverse();
  if (encodings.length > maxEncodings) {
    throw encodingFailed(
      `The response body is encoded ${encodings.length} times over; at most ${maxEncodings} are undone.`,
    );
  }
  const unknown = encodings.find((encoding) => !isKnown(encoding));
  if (unknown !== undefined) {
    const name = JSON.stringify(unknown.slice(0, 40));
    const known = createZstdDecompress ? "gzip, deflate, br and zstd" : "gzip, deflate and br";
    throw encodingFailed(`The response says Content-Encoding: ${name}; only ${known} can be read.`);
  }
  return encodings;
}

interface WithZstd {
  createZstdDecompress?(options: { params: Record<number, number> }): Transform;
  constants: { ZSTD_d_windowLogMax?: number };
}
/** Absent before Node 22.15. */
const {
  createZstdDecompress,
  constants: { ZSTD_d_windowLogMax: windowLogParameter = 0 },
} = zlib as unknown as WithZstd;
/** 8 MiB, the most that a content coding may ask for (RFC 9659). */
const maxWindowLog = 23;

function isKnown(encoding: string): boolean {
  if (encoding === "zstd") return createZstdDecompress !== undefined;
  return encoding === "gzip" || encoding === "x-gzip" || encoding === "deflate" || encoding === "br";
}

/** Creates a collector that decodes these codings and stores at most `maxBodyBytes` of decoded bytes. */
export function collectBody(encodings: readonly string[], maxBodyBytes: number, listener: BodyListener): BodyCollector {
  const collector = new PlainCollector(maxBodyBytes, listener);
  return encodings.length === 0 ? collector : new DecodingCollector(encodings, maxBodyBytes, collector, listener);
}

/** Streams through zlib, so that a bomb costs no more than the cap and one buffer per coding. */
class DecodingCollector implements BodyCollector {
  readonly #encodings: readonly string[];
  readonly #maxBodyBytes: number;
  readonly #decoded: PlainCollector;
  readonly #listener: BodyListener;
  /** Upper bound of encoded bytes to read: an incompressible body with its framing. */
  #encodedBytesLeft: number;
  #decoders: Transform[] = [];
  #firstChunk: Buffer | undefined;
  #ended = false;
  /** Set once nothing more will be written: called when the decoders have worked through what came. */
  #finish: (() => void) | undefined;

  constructor(encodings: readonly string[], maxBodyBytes: number, collector: PlainCollector, listener: BodyListener) {
    this.#encodings = encodings;
    this.#maxBodyBytes = maxBodyBytes;
    this.#decoded = collector;
    this.#listener = listener;
    this.#encodedBytesLeft = maxBodyBytes + encodedSlackBytes;
  }

  write(chunk: Buffer): boolean {
    if (this.#ended) return true;
    if (this.#decoders.length === 0) this.#start(chunk);
    this.#encodedBytesLeft -= chunk.length;
    if (this.#encodedBytesLeft < 0) {
      this.#fail(encodingFailed("The encoded response body is far longer than what it decodes to."));
      return true;
    }
    return this.#decoders[0]!.write(chunk);
  }

  end(): void {
    if (this.#ended) return;
    // HEAD, 204 and 304 send the header without a body, and so do some empty 200 responses.
    if (this.#decoders.length === 0) this.#decoded.end();
    else this.#decoders[0]!.end();
  }

  grow(bytes: number): void {
    this.#decoded.grow(bytes);
  }

  endEarly(use: (body: Uint8Array, truncated: boolean) => void): void {
    const finish = () => {
      this.#finish = undefined;
      this.#stop();
      this.#decoded.endEarly((body, truncated) => use(body.length > 0 ? body : this.#readUndecoded(), truncated));
    };
    if (this.#ended || this.#decoders.length === 0 || this.#decoded.isWaiting) {
      finish();
      return;
    }
    this.#finish = finish;
    this.#decoders[0]!.end();
  }

  destroy(): void {
    this.#stop();
    this.#decoded.destroy();
  }

  #stop(): void {
    this.#ended = true;
    for (const decoder of this.#decoders) decoder.destroy();
  }

  /**
   * The beginning of a body that its header says is encoded and that is plain text. Bytes that are encoded are left
   * out: no one could look for secrets in them.
   */
  #readUndecoded(): Uint8Array {
    const chunk = this.#firstChunk?.subarray(0, this.#maxBodyBytes) ?? new Uint8Array();
    return isUtf8(chunk) ? new Uint8Array(chunk) : new Uint8Array();
  }

  #start(firstChunk: Buffer): void {
    this.#firstChunk = firstChunk;
    this.#decoders = this.#encodings.map((encoding, index) =>
      createDecoder(encoding, index === 0 ? firstChunk[0] : undefined),
    );
    for (const [index, decoder] of this.#decoders.entries()) {
      const next = this.#decoders[index + 1];
      if (next !== undefined) decoder.pipe(next);
      const encoding = this.#encodings[index]!;
      decoder.on("error", (error) => this.#fail(encodingFailed(describeDecodingError(error, encoding))));
    }
    this.#decoders[0]!.on("drain", () => this.#listener.onDrain());
    const last = this.#decoders.at(-1)!;
    this.#decoded.onGrown = () => last.resume();
    last
      .on("data", (decoded: Buffer) => {
        if (this.#ended || this.#decoded.write(decoded)) return;
        if (this.#finish !== undefined) this.#finish();
        else last.pause();
      })
      .on("end", () => {
        if (this.#finish !== undefined) this.#finish();
        else if (!this.#ended) this.#decoded.end();
      });
  }

  #fail(error: EgressError): void {
    if (this.#ended) return;
    this.#stop();
    if (this.#finish !== undefined) this.#finish();
    else this.#listener.onFailure(error);
  }
}

function createDecoder(encoding: string, firstByte: number | undefined): Transform {
  if (encoding === "br") return createBrotliDecompress();
  if (encoding === "zstd") return createZstdDecompress!({ params: { [windowLogParameter]: maxWindowLog } });
  if (encoding !== "deflate") return createGunzip();
  // RFC 9110 defines "deflate" as zlib; servers that send raw deflate are recognized by the method nibble of the first
  // byte.
  return firstByte === undefined || (firstByte & 0x0f) === 8 ? createInflate() : createInflateRaw();
}

function describeDecodingError(error: Error, encoding: string): string {
  if (errorCode(error) === "Z_BUF_ERROR") return `The response body ends before its ${encoding} data does.`;
  return `The response body is not valid ${encoding}.`;
}

function encodingFailed(detail: string): EgressError {
  return new EgressError({ code: "body_encoding_failed", detail, phase: "receive" });
}
