import type { FieldError } from "#contracts/kit/problem.ts";
import type { Pair } from "#contracts/test-registry/requests.ts";
import { findWholeName } from "#libraries/running/found-values.ts";

/** RFC 9110, 5.6.2. Names of headers and cookies are tokens; they may contain `{{variables}}`. */
const token = /^(?:[!#$%&'*+\-.^_`|~0-9A-Za-z]|\{\{\s*[\w.-]+\s*\}\})+$/;

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to refuse.
const lineBreak = /[\r\n\u0000]/;

/**
 * Headers that frame a message or belong to the connection: another value would change the boundaries of the request
 * for the server.
 */
const setByRunner = new Set([
  "host",
  "content-length",
  "transfer-encoding",
  "connection",
  "keep-alive",
  "proxy-connection",
  "upgrade",
  "expect",
  "te",
  "trailer",
  "http2-settings",
]);

function findNameError(what: string, name: string): string | undefined {
  if (lineBreak.test(name)) return "Remove the line break";
  if (!token.test(name)) return `A ${what} name has letters, digits and -_.!#$%&'*+^\`|~ only`;
  return undefined;
}

/** Errors of header rows, by field. */
export function findHeaderErrors(rows: Pair[], path: string): FieldError[] {
  return rows.flatMap(({ name, value }, index) => {
    const errors: FieldError[] = [];
    const error = setByRunner.has(name.toLowerCase())
      ? `${name} is set by the runner and can't be chosen; remove the row`
      : findNameError("header", name);
    if (error) errors.push({ path: `${path}[${index}].name`, message: error });
    if (lineBreak.test(value)) {
      errors.push({ path: `${path}[${index}].value`, message: "A header value is one line; remove the line break" });
    }
    return errors;
  });
}

export function findCookieErrors(rows: Pair[], path: string): FieldError[] {
  return rows.flatMap(({ name, value }, index) => {
    const errors: FieldError[] = [];
    const error = findNameError("cookie", name);
    if (error) errors.push({ path: `${path}[${index}].name`, message: error });
    if (lineBreak.test(value) || value.includes(";")) {
      errors.push({ path: `${path}[${index}].value`, message: "A cookie value has no line break and no ;" });
    }
    return errors;
  });
}

/** Media types are inserted into a header line verbatim. One that is a variable is checked when it is sent. */
export function findMediaTypeErrors(mediaType: string | undefined, path: string): FieldError[] {
  if (mediaType !== undefined && findWholeName(mediaType) !== undefined) return [];
  if (mediaType === undefined || mediaType === "" || /^[\w!#$&^.+-]+\/[\w!#$&^.+*-]+\s*(;[^\r\n]*)?$/.test(mediaType)) {
    return [];
  }
  return [{ path, message: "Enter a media type, e.g. application/json" }];
}
