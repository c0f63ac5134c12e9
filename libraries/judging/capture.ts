import type { Capture } from "#contracts/test-registry/tests.ts";
import { compilePattern, UnsupportedPattern } from "../pattern/pattern.ts";
import { findValue } from "./assertion/find-value.ts";
import { jsonText } from "./describe-value.ts";
import { type JudgedResponse, Unjudgeable } from "./judged-response.ts";

/** Characters. The longest value that can be filled into a later request. */
const longestValue = 100_000;
/**
 * Characters, above any token's length. Everything stored is searched for every part of a secret, which takes time
 * proportional to its length.
 */
const longestSecret = 16_384;

/**
 * A captured value for later tests, as text: a string as it is, everything else as JSON. Undefined when it is missing,
 * unreadable, or longer than the limit.
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
