import { type FilterFunction, FunctionExpressionType, Nothing } from "json-p3";
import { isJsonObject, type Json } from "../json/json.ts";
import { compilePattern, type Pattern, UnsupportedPattern } from "../pattern/pattern.ts";
import { translateIRegexp } from "./i-regexp.ts";

const maxCachedPatterns = 50;
const cachedPatterns = new Map<string, Pattern | undefined>();

/** Undefined for a pattern that RE2 rejects: like any invalid I-Regexp, it matches nothing (RFC 9535, 2.4.6). */
function getPattern(source: string): Pattern | undefined {
  if (cachedPatterns.has(source)) return cachedPatterns.get(source);
  let pattern: Pattern | undefined;
  try {
    pattern = compilePattern(translateIRegexp(source));
  } catch (error) {
    if (!(error instanceof UnsupportedPattern)) throw error;
  }
  if (cachedPatterns.size >= maxCachedPatterns) cachedPatterns.clear();
  cachedPatterns.set(source, pattern);
  return pattern;
}

function byPattern(matches: (pattern: Pattern, text: string) => boolean): FilterFunction {
  return {
    argTypes: [FunctionExpressionType.ValueType, FunctionExpressionType.ValueType],
    returnType: FunctionExpressionType.LogicalType,
    call(text: unknown, source: unknown) {
      if (typeof text !== "string" || typeof source !== "string") return false;
      const pattern = getPattern(source);
      return pattern !== undefined && matches(pattern, text);
    },
  };
}

/**
 * `match()` and `search()` by RE2: the library's versions pass the document's and the user's patterns to RegExp,
 * unbounded.
 */
export const matchPattern = byPattern((pattern, text) => pattern.testWhole(text));
export const searchPattern = byPattern((pattern, text) => pattern.test(text));

/** Counts characters; the library's version counts UTF-16 units (RFC 9535, 2.4.4). */
export const length: FilterFunction = {
  argTypes: [FunctionExpressionType.ValueType],
  returnType: FunctionExpressionType.ValueType,
  call(value: unknown) {
    if (value === Nothing) return Nothing;
    if (typeof value === "string") return [...value].length;
    if (Array.isArray(value)) return value.length;
    return isJsonObject(value as Json) ? Object.keys(value as object).length : Nothing;
  },
};
