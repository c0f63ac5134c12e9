import type { CapturedType } from "#contracts/test-analyzer/verifications.ts";
import type { Capture } from "#contracts/test-registry/tests.ts";
import type { Json } from "../json/json.ts";
import { writeJson } from "../json/write-json.ts";
import { compilePattern, UnsupportedPattern } from "../pattern/pattern.ts";
import { findValue } from "./assertion/find-value.ts";
import { type JudgedResponse, Unjudgeable } from "./judged-response.ts";

/** Characters. The longest value that can be filled into a later request. */
const longestValue = 100_000;
/**
 * Characters, above any token's length. Everything stored is searched for every part of a secret, which takes time
 * proportional to its length.
 */
const longestSecret = 16_384;

/** The characters of a string, or the JSON text of any other value. Text of a header, cookie or body has no type. */
export interface CapturedValue {
  text: string;
  type?: CapturedType;
}

/** A captured value for later tests. Undefined when it is missing, unreadable, or longer than the limit. */
export function captureValue(capture: Capture, judged: JudgedResponse): CapturedValue | undefined {
  const value = findCapture(capture, judged);
  if (value === undefined) return undefined;
  const text = typeof value === "string" ? value : writeJson(value);
  if (text.length > (capture.secret ? longestSecret : longestValue)) return undefined;
  if (capture.source !== "jsonPath" && capture.source !== "statusCode") return { text };
  return { text, type: typeof value === "string" ? "string" : "json" };
}

/** Sources whose text a pattern may search; a body's pattern is its property. */
function takesPattern({ source }: Capture): boolean {
  return source === "header" || source === "cookie";
}

function findCapture(capture: Capture, judged: JudgedResponse): Json | undefined {
  try {
    if (capture.source === "body" && capture.property) return compilePattern(capture.property).find(judged.text());
    const found = findValue(judged, capture);
    if (found.kind === "missing") return undefined;
    const value = found.only === undefined ? found.value : found.only;
    if (!capture.pattern || !takesPattern(capture)) return value;
    return typeof value === "string" ? compilePattern(capture.pattern).find(value) : undefined;
  } catch (error) {
    if (error instanceof Unjudgeable || error instanceof RangeError || error instanceof UnsupportedPattern)
      return undefined;
    throw error;
  }
}
