import { createHash } from "node:crypto";
import type { Phases, ReceivedResponse } from "#contracts/test-executioner/attempts.ts";

export interface Recorded {
  response: ReceivedResponse;
  phases: Phases;
}

/** The same response with another body, its size and hash included. */
export function withBody({ response, phases }: Recorded, body: string): Recorded {
  const { bodySha256 } = response;
  const hash = bodySha256 === undefined ? {} : { bodySha256: createHash("sha256").update(body).digest("hex") };
  return { response: { ...response, body, bodyBytes: Buffer.byteLength(body), ...hash }, phases };
}
