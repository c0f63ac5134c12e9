import type { CollectedBody, Pair } from "../collection.ts";
import { toGraphql, toTextBody, withoutType } from "./bodies.ts";
import { noBody, toPair } from "./reading.ts";
import { reasons } from "./reasons.ts";
import { listOf, type Members, membersOf, textOf } from "./tree.ts";

/** Rows of names and values. */
export function readInsomniaRows(rows: unknown, fill: (text: string) => string): Pair[] {
  return listOf(rows)
    .map(membersOf)
    .filter((row) => textOf(row.name) !== "")
    .map((row) => toPair(fill(textOf(row.name)), fill(textOf(row.value)), row.disabled !== true));
}

/** The body of a request, and the headers that are sent beside it. */
export function readInsomniaBody(
  body: Members,
  headers: Pair[],
  fill: (text: string) => string,
  lose: (what: string, reason: string) => void,
): { body: CollectedBody; headers: Pair[] } {
  const type = textOf(body.mimeType);
  const text = fill(textOf(body.text));
  if (type === "application/x-www-form-urlencoded")
    return { body: { kind: "form", fields: readInsomniaRows(body.params, fill) }, headers: withoutType(headers) };
  if (type === "multipart/form-data") {
    const parts = listOf(body.params)
      .map(membersOf)
      .flatMap((part) => {
        const name = textOf(part.name);
        if (part.type === "file") {
          lose(`file ${name}`, reasons.noFile);
          return [];
        }
        return [
          {
            ...toPair(name, fill(textOf(part.value)), part.disabled !== true),
            mediaType: undefined,
            fileName: undefined,
          },
        ];
      });
    return { body: { kind: "multipart", parts }, headers: withoutType(headers) };
  }
  if (type === "application/graphql") {
    const parsed = parseObject(text);
    const variables =
      parsed.variables === undefined
        ? ""
        : typeof parsed.variables === "string"
          ? parsed.variables
          : JSON.stringify(parsed.variables);
    return { body: toGraphql(textOf(parsed.query) || text, variables), headers: withoutType(headers) };
  }
  if (body.fileName !== undefined && text === "") {
    lose("file as body", reasons.noFile);
    return { body: noBody, headers };
  }
  return toTextBody(text, headers, type);
}

function parseObject(text: string): Members {
  try {
    return membersOf(JSON.parse(text));
  } catch {
    return {};
  }
}
