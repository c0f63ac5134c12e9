import { Problem } from "#contracts/kit/problem.ts";

/** Limit of JSON bodies unless an endpoint sets its own: far above any form, far below what could harm one process. */
export const defaultBodyBytes = 2 * 1_048_576;

const mebibytes = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });

/**
 * Reads the whole body of a request as text. Stops as soon as more than `limitBytes` have arrived, so a body without
 * Content-Length, or with a wrong one, costs no more memory than the limit.
 * @throws Problem payload_too_large, or malformed_request when the sender disconnects
 */
export async function readLimitedText(request: Request, limitBytes: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  await readLimited(request, limitBytes, (chunk) => {
    text += decoder.decode(chunk, { stream: true });
  });
  return text + decoder.decode();
}

/** As `readLimitedText`, but the bytes themselves. */
export async function readLimitedBytes(request: Request, limitBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  await readLimited(request, limitBytes, (chunk) => chunks.push(chunk));
  return Buffer.concat(chunks);
}

async function readLimited(request: Request, limitBytes: number, take: (chunk: Uint8Array) => void): Promise<void> {
  const tooLarge = () =>
    new Problem("payload_too_large", `Send at most ${mebibytes.format(limitBytes / 1_048_576)} MiB in one request.`);
  if (Number(request.headers.get("content-length") ?? 0) > limitBytes) throw tooLarge();
  if (!request.body) return;
  const reader = request.body.getReader();
  let total = 0;
  const readOn = () =>
    reader.read().catch(() => {
      throw new Problem("malformed_request", "The request ended before its body did.");
    });
  for (let read = await readOn(); !read.done; read = await readOn()) {
    total += read.value.length;
    if (total > limitBytes) {
      // Not awaited: a sender that never ends must not delay the response.
      reader.cancel().catch(() => {});
      throw tooLarge();
    }
    take(read.value);
  }
}
