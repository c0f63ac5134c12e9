import { randomBytes } from "node:crypto";
import type { TraceContext } from "#contracts/test-executioner/attempts.ts";

/** https://www.w3.org/TR/trace-context/ */
export const traceHeader = "traceparent";

const noSpan = "0".repeat(16);
const noTrace = "0".repeat(32);

/** The trace of a run: its id, a UUID of which 74 bits are random. */
export const toTraceId = (runId: string): string => runId.replaceAll("-", "");

export function createSpanId(): string {
  const id = randomBytes(8).toString("hex");
  return id === noSpan ? createSpanId() : id;
}

/** Version 00, sampled. */
export const writeTraceparent = ({ traceId, spanId }: TraceContext): string => `00-${traceId}-${spanId}-01`;

/** The trace of a header that a test writes itself; undefined when it is not valid. */
export function readTraceparent(value: string): TraceContext | undefined {
  const [, version, traceId, spanId, rest] =
    /^\s*([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(-.*)?\s*$/.exec(value) ?? [];
  if (!traceId || !spanId || traceId === noTrace || spanId === noSpan) return undefined;
  // Later versions may append fields.
  return version === "ff" || (version === "00" && rest) ? undefined : { traceId, spanId };
}

/**
 * The trace context of one attempt with the headers to add. A header of the test's own wins.
 * @param traceId undefined if the host gets no trace context
 */
export function traceAttempt(
  headers: readonly (readonly [string, string])[],
  traceId: string | undefined,
): { trace?: TraceContext; added: [string, string][] } {
  const own = headers.find(([name]) => name.toLowerCase() === traceHeader);
  if (own) return { trace: readTraceparent(own[1]), added: [] };
  if (!traceId) return { added: [] };
  const trace = { traceId, spanId: createSpanId() };
  return { trace, added: [[traceHeader, writeTraceparent(trace)]] };
}
