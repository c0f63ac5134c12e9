import type { CollectedBody, Pair } from "../collection.ts";
import { noBody } from "./reading.ts";

const isJson = (mediaType: string) => /^[^;]*[/+]json\b/i.test(mediaType);

/**
 * A body of text, with the headers that remain: the type of the body is the body's.
 * @param mediaType where no header says it
 */
export function toTextBody(text: string, headers: Pair[], mediaType = ""): { body: CollectedBody; headers: Pair[] } {
  if (text === "") return { body: noBody, headers };
  const typed = headers.find(({ name, enabled }) => enabled && /^content-type$/i.test(name));
  const type = typed?.value || mediaType || (looksLikeJson(text) ? "application/json" : "text/plain");
  const rest = headers.filter((header) => header !== typed);
  return { body: { kind: isJson(type) ? "json" : "text", text, mediaType: type }, headers: rest };
}

/** JSON with placeholders in it is JSON once they are filled. */
function looksLikeJson(text: string): boolean {
  try {
    JSON.parse(text.replace(/\{\{[^{}]*\}\}/g, "0"));
    return /^\s*[{[]/.test(text);
  } catch {
    return false;
  }
}

/** Headers without the type of a body that sets its own. */
export const withoutType = (headers: Pair[]): Pair[] => headers.filter(({ name }) => !/^content-type$/i.test(name));

/** GraphQL over HTTP: a JSON object with the query and its variables. */
export function toGraphql(query: string, variables: string): CollectedBody {
  const trimmed = variables.trim();
  const text = trimmed === "" ? JSON.stringify({ query }) : `{"query":${JSON.stringify(query)},"variables":${trimmed}}`;
  return { kind: "json", text, mediaType: "application/json" };
}
