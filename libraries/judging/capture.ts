import type { Capture } from "#contracts/test-registry/tests.ts";
import { compilePattern, UnsupportedPattern } from "../pattern/pattern.ts";
import { findValue } from "./assertion/find-value.ts";
import { jsonText } from "./describe-value.ts";
import { type JudgedResponse, Unjudgeable } from "./judged-response.ts";

/** What can be filled into a request again. */
const longestValue = 100_000;
/** Above any token's length. Every part of a secret is looked for in all that is kept, which takes time by its length. */
const longestSecret = 16_384;

/**
 * A value kept for later tests, as text: a string as it is, everything else as JSON. Undefined when there is nothing,
 * when it can't be read, or when it is longer than is kept.
 */
export function captureValue(capture: Capture, judged: JudgedResponse): string | undefined {
  const value = findCapture(capture, judged);
  return value === undefined || value.length > (capture.secret ? longestSecret : longestValue) ? undefined : value;
}

function findCapture(capture: Capture, judged: JudgedResponse): string | undefined {
  try {
    if (capture.source === "body" && capture.property) {
      const { body } = judged.response;
      return body === null ? undefined : compilePattern(capture.property).find(body);
    }
    const found = findValue(judged, capture);
    if (found.kind === "missing") return undefined;
    const value = found.only ?? found.value;
    return typeof value === "string" ? value : jsonText(value);
  } catch (error) {
    if (error instanceof Unjudgeable || error instanceof RangeError || error instanceof UnsupportedPattern)
      return undefined;
    throw error;
  }
}
