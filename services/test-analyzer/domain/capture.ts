import { compilePattern, UnsupportedPattern } from "../../kit/pattern/pattern.ts";
import type { Capture } from "../../test-registry/contract/tests.ts";
import { findValue } from "./assertion/find-value.ts";
import { jsonText } from "./describe-value.ts";
import { type JudgedResponse, Unjudgeable } from "./judged-response.ts";

/**
 * A value kept for later tests, as text: a string as it is, everything else as JSON. Undefined when there is nothing, or
 * when it can't be read.
 */
export function captureValue(capture: Capture, judged: JudgedResponse): string | undefined {
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
