import type { CollectedBody, Pair } from "../collection.ts";
import { toGraphql, toTextBody, withoutType } from "./bodies.ts";
import { type BruFile, pairsOf, toRow, toRows } from "./bruno-files.ts";
import { toPlaceholders } from "./placeholders.ts";
import { noBody } from "./reading.ts";
import { reasons } from "./reasons.ts";

/** The body of a request, and the headers that are sent beside it. */
export function readBrunoBody(
  file: BruFile,
  kind: string,
  headers: Pair[],
  lose: (line: number, what: string, reason: string) => void,
): { body: CollectedBody; headers: Pair[] } {
  const block = (name: string) => file.blocks.find((one) => one.name === name);
  const text = (name: string) => toPlaceholders(block(name)?.text ?? "");
  switch (kind) {
    case "json":
      return toTextBody(text("body:json") || text("body"), headers, "application/json");
    case "xml":
      return toTextBody(text("body:xml"), headers, "application/xml");
    case "text":
      return toTextBody(text("body:text"), headers, "text/plain");
    case "sparql":
      return toTextBody(text("body:sparql"), headers, "application/sparql-query");
    case "graphql":
      return { body: toGraphql(text("body:graphql"), text("body:graphql:vars")), headers: withoutType(headers) };
    case "formUrlEncoded":
      return {
        body: { kind: "form", fields: toRows(pairsOf(file, "body:form-urlencoded")) },
        headers: withoutType(headers),
      };
    case "multipartForm": {
      const parts = pairsOf(file, "body:multipart-form").flatMap((pair) => {
        if (!pair.value.startsWith("@file(")) return [{ ...toRow(pair), mediaType: undefined, fileName: undefined }];
        lose(pair.line, `file ${pair.name}`, reasons.noFile);
        return [];
      });
      return { body: { kind: "multipart", parts }, headers: withoutType(headers) };
    }
    case "file":
      lose(block("body:file")?.line ?? 1, "file as body", reasons.noFile);
      return { body: noBody, headers };
    default:
      return { body: noBody, headers };
  }
}
