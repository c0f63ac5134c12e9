import { Problem } from "../../kit/problem/problem.ts";

const blockBytes = 1024 * 1024;

/**
 * Reads a body into blocks of its own memory, which a worker can take over without copying.
 * @throws Problem payload_too_large as soon as the limit is passed, whatever Content-Length says
 */
export async function readBody(request: Request, limitBytes: number): Promise<Uint8Array[]> {
  const tooLarge = () =>
    new Problem("payload_too_large", `The request is larger than ${Math.floor(limitBytes / 1_048_576)} MiB.`);
  if (Number(request.headers.get("content-length") ?? 0) > limitBytes) throw tooLarge();
  const blocks: Uint8Array[] = [];
  let block = new Uint8Array(0);
  let filled = 0;
  let total = 0;
  if (!request.body) return blocks;
  for await (const chunk of request.body as unknown as AsyncIterable<Uint8Array>) {
    total += chunk.length;
    if (total > limitBytes) throw tooLarge();
    for (let taken = 0; taken < chunk.length; ) {
      if (filled === block.length) {
        block = new Uint8Array(blockBytes);
        blocks.push(block);
        filled = 0;
      }
      const part = chunk.subarray(taken, taken + block.length - filled);
      block.set(part, filled);
      filled += part.length;
      taken += part.length;
    }
  }
  const last = blocks.pop();
  if (last) blocks.push(last.subarray(0, filled));
  return blocks;
}
