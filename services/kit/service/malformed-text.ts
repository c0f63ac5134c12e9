import { type FieldError, Problem } from "#contracts/kit/problem.ts";
import { fieldPath } from "./field-path.ts";

/** Lone surrogates arrive only as escapes, since bytes are decoded as UTF-8; so few bodies need a closer look. */
const surrogateEscape = /\\u[dD][89a-fA-F]/;
const loneSurrogate = /\p{Surrogate}/u;
const maxErrors = 20;

/** One error for each text or key of a JSON value in which the pattern is found. */
function findTexts(root: unknown, pattern: RegExp, message: string): FieldError[] {
  const errors: FieldError[] = [];
  // Not recursive: a body may be nested more deeply than the stack.
  const waiting: { value: unknown; path: PropertyKey[] }[] = [{ value: root, path: [] }];
  for (let next = waiting.pop(); next && errors.length < maxErrors; next = waiting.pop()) {
    const { value, path } = next;
    const report = (at: PropertyKey[]) =>
      errors.push({ path: fieldPath(at).replace(/\p{Surrogate}/gu, "\ufffd"), message });
    if (typeof value === "string" && pattern.test(value)) report(path);
    if (typeof value !== "object" || value === null) continue;
    for (const [key, member] of Object.entries(value)) {
      const at = [...path, Array.isArray(value) ? Number(key) : key];
      if (pattern.test(key)) report(at);
      waiting.push({ value: member, path: at });
    }
  }
  return errors;
}

/** Lone surrogates in a JSON value, which neither UTF-8 nor a database can represent. */
export function findLoneSurrogates(value: unknown): FieldError[] {
  return findTexts(
    value,
    loneSurrogate,
    "This text contains an incomplete character (a lone surrogate). Enter it again.",
  );
}

/** @throws Problem invalid_input with the fields that contain lone surrogates */
export function requireWholeCharacters(body: string): void {
  if (!surrogateEscape.test(body)) return;
  const errors = findLoneSurrogates(parse(body));
  if (errors.length > 0) throw new Problem("invalid_input", undefined, { errors });
}

/** The problem of a body with NUL characters that the database refused. */
export function nulProblem(body: string | undefined): Problem {
  const message = "There is a NUL character in this text. Remove it.";
  const errors = body ? findTexts(parse(body), /\0/, message) : [];
  return new Problem("malformed_request", "The text contains a NUL character.", errors.length > 0 ? { errors } : {});
}

/** Undefined unless it is JSON, which its reader refuses. */
function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
