import { freeBodyBytes } from "./body-room.ts";
import type { EgressError } from "./failure.ts";

/** Collects one response body up to a cap. Exactly one end listener is called, exactly once, unless it ends early. */
export interface BodyCollector {
  /** @returns false when the sender should pause until `onDrain` */
  write(chunk: Buffer): boolean;
  /** The complete body has arrived. */
  end(): void;
  /** Room for a large body, requested by `onLarge`. */
  grow(bytes: number): void;
  /** No more will arrive of a body that is incomplete or can't be decoded. `use` gets what there is. */
  endEarly(use: (body: Uint8Array, truncated: boolean) => void): void;
  /** No further chunks are needed. */
  destroy(): void;
}

export interface BodyListener {
  onDrain(): void;
  /** The body is large: nothing more is taken until the collector may grow. Absent where bodies need no room. */
  onLarge?(): void;
  /** `truncated`: the body exceeded the cap, and no further chunks are needed. */
  onBody(body: Uint8Array, truncated: boolean): void;
  onFailure(error: EgressError): void;
  /** Where in this chunk of decoded bytes the body ends for the reader; -1 when more is wanted. */
  findEnd?: (chunk: Uint8Array) => number;
}

/** Takes a body as it is. */
export class PlainCollector implements BodyCollector {
  readonly #maxBodyBytes: number;
  readonly #listener: BodyListener;
  readonly #chunks: Uint8Array[] = [];
  #bytes = 0;
  #isTruncated = false;
  /** The wanted end came while waiting for room. */
  #isEnough = false;
  /** Of a large body; its beginning is in `#chunks` until then. */
  #large: Uint8Array | undefined;
  isWaiting = false;
  /** Called when a waiting collector takes more; the sender's drain unless something is between. */
  onGrown: () => void;

  constructor(maxBodyBytes: number, listener: BodyListener) {
    this.#maxBodyBytes = maxBodyBytes;
    this.#listener = listener;
    this.onGrown = () => listener.onDrain();
  }

  write(chunk: Buffer): boolean {
    const end = this.#listener.findEnd?.(chunk) ?? -1;
    if (end < 0) return this.#store(chunk);
    const hasRoom = this.#store(chunk.subarray(0, end));
    if (hasRoom) this.end();
    else this.#isEnough = true;
    return hasRoom;
  }

  #store(chunk: Buffer): boolean {
    if (this.#large !== undefined) return this.#writeLarge(chunk);
    if (this.#listener.onLarge !== undefined && this.#bytes + chunk.length > freeBodyBytes) {
      this.#chunks.push(chunk);
      this.#bytes += chunk.length;
      if (!this.isWaiting) {
        this.isWaiting = true;
        this.#listener.onLarge();
      }
      return !this.isWaiting;
    }
    const remaining = this.#maxBodyBytes - this.#bytes;
    if (chunk.length <= remaining) {
      this.#chunks.push(chunk);
      this.#bytes += chunk.length;
      return true;
    }
    if (this.#isTruncated) return true;
    this.#isTruncated = true;
    this.#chunks.push(chunk.subarray(0, remaining));
    this.#bytes = this.#maxBodyBytes;
    this.#listener.onBody(this.#join(), true);
    return true;
  }

  grow(bytes: number): void {
    const chunks = this.#chunks.splice(0);
    // Shared, so that a thread can read it without a copy.
    this.#large = new Uint8Array(new SharedArrayBuffer(Math.min(bytes, this.#maxBodyBytes)));
    this.#bytes = 0;
    this.isWaiting = false;
    for (const chunk of chunks) this.#writeLarge(chunk);
    if (this.#isEnough) this.end();
    else this.onGrown();
  }

  #writeLarge(chunk: Uint8Array): boolean {
    const large = this.#large!;
    const remaining = large.length - this.#bytes;
    if (chunk.length <= remaining) {
      large.set(chunk, this.#bytes);
      this.#bytes += chunk.length;
    } else if (!this.#isTruncated) {
      this.#isTruncated = true;
      large.set(chunk.subarray(0, remaining), this.#bytes);
      this.#bytes = large.length;
      this.#listener.onBody(this.#join(), true);
    }
    return true;
  }

  end(): void {
    this.#listener.onBody(this.#join(), false);
  }

  endEarly(use: (body: Uint8Array, truncated: boolean) => void): void {
    use(this.#join(), this.#isTruncated);
  }

  destroy(): void {
    this.#chunks.length = 0;
  }

  /** Copies: a chunk is a view into a network buffer, which would otherwise stay in memory as a whole. */
  #join(): Uint8Array {
    if (this.#large !== undefined) return this.#large.subarray(0, this.#bytes);
    const body = new Uint8Array(this.#bytes);
    let offset = 0;
    for (const chunk of this.#chunks) {
      body.set(chunk, offset);
      offset += chunk.length;
    }
    return body;
  }
}
