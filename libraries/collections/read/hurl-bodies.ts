import type { CollectedBody, Pair } from "../collection.ts";
import { toGraphql, toTextBody, withoutType } from "./bodies.ts";
import { toPlainText } from "./hurl-parts.ts";
import { noBody } from "./reading.ts";

/** A line with a status, which ends a request. */
export const responseLine = /^HTTP(?:\/[\d.]+)?\s+(\d{3}|\*)\s*(?:#.*)?$/;

/** A body as the file says it. */
export interface HurlBody {
  text: string;
  /** Its media type; "" where the file says none. */
  type: string;
  isGraphql: boolean;
}

/** Whether a body begins with a line. */
export const beginsBody = (line: string) => /^(\{(?!\{)|\[(?!\w+\]\s*(#.*)?$)|<|```|`|base64,|hex,|file,|")/.test(line);

/**
 * A body of several lines, which ends where its brackets or its fence do.
 * @param at of its first line
 * @returns the body, undefined for one of bytes, and its last line
 */
export function readHurlBody(lines: readonly string[], at: number): { body: HurlBody | undefined; last: number } {
  const line = lines[at]!.trim();
  if (line.startsWith("```")) return readFenced(lines, at, line);
  if (/^[[{]/.test(line)) {
    const { text, last } = readBalanced(lines, at);
    return { body: { text, type: "application/json", isGraphql: false }, last };
  }
  if (line.startsWith("<")) {
    const found = [line];
    let last = at;
    const isMore = (next: string | undefined) => next !== undefined && next !== "" && !responseLine.test(next);
    while (isMore(lines[last + 1]?.trim())) {
      last += 1;
      found.push(lines[last]!);
    }
    return { body: { text: found.join("\n"), type: "application/xml", isGraphql: false }, last };
  }
  if (/^(base64,|hex,|file,)/.test(line)) return { body: undefined, last: at };
  return { body: { text: toPlainText(line.replace(/^[`"]|[`"]$/g, "")), type: "", isGraphql: false }, last: at };
}

function readFenced(lines: readonly string[], at: number, line: string): { body: HurlBody; last: number } {
  const language = line.slice(3).split(",")[0]!.trim();
  const isClosed = line.length > 3 && line.endsWith("```");
  const found: string[] = [];
  let last = at;
  if (!isClosed)
    for (last += 1; last < lines.length && !lines[last]!.trimEnd().endsWith("```"); last += 1) found.push(lines[last]!);
  const end = isClosed ? line.slice(3, -3) : (lines[last] ?? "").trimEnd().replace(/```$/, "");
  const text = [...found, ...(end === "" ? [] : [end])].join("\n");
  const type = { json: "application/json", xml: "application/xml" }[language] ?? "";
  return { body: { text, type, isGraphql: language === "graphql" }, last };
}

function readBalanced(lines: readonly string[], at: number): { text: string; last: number } {
  const found: string[] = [];
  let depth = 0;
  let isText = false;
  let last = at;
  for (; last < lines.length; last += 1) {
    const line = lines[last]!;
    found.push(line);
    for (let index = 0; index < line.length; index += 1) {
      const character = line[index];
      if (isText && character === "\\") index += 1;
      else if (character === '"') isText = !isText;
      else if (!isText && (character === "{" || character === "[")) depth += 1;
      else if (!isText && (character === "}" || character === "]")) depth -= 1;
    }
    if (depth <= 0) break;
  }
  return { text: found.join("\n").trim(), last };
}

/** The body of a request, and the headers that are sent beside it. */
export function toHurlRequestBody(
  { form, multipart, body }: { form: Pair[] | undefined; multipart: Pair[] | undefined; body: HurlBody | undefined },
  headers: Pair[],
): { body: CollectedBody; headers: Pair[] } {
  if (form) return { body: { kind: "form", fields: form }, headers: withoutType(headers) };
  if (multipart) {
    const parts = multipart.map((part) => ({ ...part, mediaType: undefined, fileName: undefined }));
    return { body: { kind: "multipart", parts }, headers: withoutType(headers) };
  }
  if (!body) return { body: noBody, headers };
  return body.isGraphql
    ? { body: toGraphql(body.text, ""), headers: withoutType(headers) }
    : toTextBody(body.text, headers, body.type);
}
