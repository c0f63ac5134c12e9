import { Problem } from "#contracts/kit/problem.ts";

export const blockBytes = 1024 * 1024;

/** Memory for request bodies before a worker takes them over, of all callers together. */
export class BodyMemory {
  #held = 0;

  constructor(private readonly maxBytes = 512 * 1024 * 1024) {}

  /** @throws Problem service_unavailable when other callers use all of it */
  hold(bytes: number): void {
    if (this.#held + bytes > this.maxBytes) {
      throw new Problem("service_unavailable", "Many documents are being imported. Try again in a moment.", {
        retryAfterSeconds: 20,
      });
    }
    this.#held += bytes;
  }

  release(blocks: number): void {
    this.#held -= blocks * blockBytes;
  }
}

/**
 * Reads a body into blocks with separate memory, which a worker can take over without copying. The caller releases the
 * blocks it gets; those of a refused body are released here.
 * @throws Problem payload_too_large as soon as the limit is exceeded, whatever Content-Length says
 */
export async function readBody(request: Request, limitBytes: number, memory: BodyMemory): Promise<Uint8Array[]> {
  const tooLarge = () =>
    new Problem("payload_too_large", `The request is larger than ${Math.floor(limitBytes / 1_048_576)} MiB.`);
  if (Number(request.headers.get("content-length") ?? 0) > limitBytes) throw tooLarge();
  const blocks: Uint8Array[] = [];
  if (!request.body) return blocks;
  const reader = request.body.getReader();
  let filled = blockBytes;
  let total = 0;
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      total += read.value.length;
      if (total > limitBytes) throw tooLarge();
      for (let taken = 0; taken < read.value.length; ) {
        if (filled === blockBytes) {
          memory.hold(blockBytes);
          blocks.push(new Uint8Array(blockBytes));
          filled = 0;
        }
        const part = read.value.subarray(taken, taken + blockBytes - filled);
        blocks.at(-1)!.set(part, filled);
        filled += part.length;
        taken += part.length;
      }
    }
  } catch (error) {
    memory.release(blocks.length);
    // Not awaited: a sender that never ends must not delay the response.
    reader.cancel().catch(() => {});
    throw error instanceof Problem ? error : new Problem("malformed_request", "The request ended before its body did.");
  }
  const last = blocks.pop();
  if (last) blocks.push(last.subarray(0, filled));
  return blocks;
}
