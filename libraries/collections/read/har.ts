import type { CollectedBody, Pair } from "../collection.ts";
import { toTextBody, withoutType } from "./bodies.ts";
import { Collector, noBody, type Reading, type SourceFile, toPair, UnreadableFile } from "./reading.ts";
import { isMembers, listOf, type Members, membersOf, readTree, type Tree, textOf } from "./tree.ts";
import { parsePairs, splitQuery } from "./url.ts";

export const isHar = (value: unknown): boolean => isMembers(value) && Array.isArray(membersOf(value.log).entries);

/** What a browser or proxy adds to each request. */
const ofBrowser =
  /^(:.*|accept-encoding|accept-language|cache-control|connection|content-length|cookie|dnt|host|if-modified-since|if-none-match|origin|pragma|priority|proxy-.*|referer|sec-.*|te|transfer-encoding|upgrade-insecure-requests|user-agent)$/i;
const ofPage = /^(image|font|video|audio)\/|^text\/(css|html|javascript)\b|^application\/(x-)?(javascript|font)|wasm/i;

/** Reads recordings in HTTP Archive format 1.2. A test expects the status that was recorded. */
export function readHar(files: readonly SourceFile[]): Reading {
  const collector = new Collector(
    files[0]?.name
      .split("/")
      .at(-1)
      ?.replace(/\.(har|json)$/i, "") || "Recording",
  );
  for (const tree of files.map(readTree)) {
    if (!isHar(tree.value))
      throw new UnreadableFile(tree.file, 1, "It is no HTTP archive: it has no log with entries.");
    readLog(tree, collector);
  }
  return collector.finish();
}

function readLog(tree: Tree, collector: Collector): void {
  const { entries, creator } = membersOf(membersOf(tree.value).log);
  collector.collection.description ||=
    textOf(membersOf(creator).name) && `Recorded by ${textOf(membersOf(creator).name)}.`;
  const inOrder: string[] = [];
  const left = { cookies: false, headers: false };
  for (const [index, one] of listOf(entries).entries()) {
    const entry = membersOf(one);
    const [request, response] = [membersOf(entry.request), membersOf(entry.response)];
    const position = tree.at(["log", "entries", index]);
    const address = textOf(request.url);
    if (!/^https?:\/\//i.test(address)) {
      collector.lose(position, address.slice(0, 100) || "entry", "entry", "It is no HTTP request.");
      continue;
    }
    const { url, query } = splitQuery(address);
    const method = (textOf(request.method) || "GET").toUpperCase();
    const name = `${method} ${url.replace(/^https?:\/\/[^/]+/i, "") || "/"}`;
    const type = textOf(membersOf(response.content).mimeType);
    if (method === "GET" && ofPage.test(type)) {
      collector.lose(position, name, type, "It is a part of a page, and no call of an API.");
      continue;
    }
    const all = toRows(request.headers);
    left.headers ||= all.some((row) => ofBrowser.test(row.name));
    left.cookies ||= listOf(request.cookies).length > 0;
    const { body, headers } = readBody(
      membersOf(request.postData),
      all.filter((row) => !ofBrowser.test(row.name)),
    );
    const status = Number(response.status);
    const added = collector.add({
      ...position,
      ...{ name, method, url, headers, body, followRedirects: false },
      query: Array.isArray(request.queryString) ? toRows(request.queryString) : query,
      assertions:
        status >= 100 && status !== 304
          ? [{ source: "statusCode", property: undefined, comparison: "equals", target: status }]
          : [],
    });
    inOrder.push(added.id);
  }
  const { name } = collector.collection;
  if (left.headers)
    collector.lose(
      tree.at(["log"]),
      name,
      "headers of the browser",
      "They say how it was recorded, such as User-Agent and Referer.",
    );
  if (left.cookies)
    collector.lose(
      tree.at(["log"]),
      name,
      "cookies",
      "They are of a session that has ended. A circle keeps the cookies that its responses set.",
    );
  collector.addSequence({ ...tree.at(["log"]), name, requests: inOrder });
}

const toRows = (rows: unknown): Pair[] =>
  listOf(rows)
    .map(membersOf)
    .map((row) => toPair(textOf(row.name), textOf(row.value)))
    .filter((row) => row.name !== "");

function readBody(posted: Members, headers: Pair[]): { body: CollectedBody; headers: Pair[] } {
  const type = textOf(posted.mimeType);
  const text = textOf(posted.text);
  const parameters = listOf(posted.params).map(membersOf);
  if (/^application\/x-www-form-urlencoded/i.test(type)) {
    const fields = parameters.length > 0 ? toRows(posted.params) : parsePairs(text);
    return { body: { kind: "form", fields }, headers: withoutType(headers) };
  }
  if (/^multipart\/form-data/i.test(type) && parameters.length > 0) {
    const parts = parameters.map((part) => ({
      ...toPair(textOf(part.name), textOf(part.value)),
      mediaType: textOf(part.contentType) || undefined,
      fileName: textOf(part.fileName) || undefined,
    }));
    return { body: { kind: "multipart", parts }, headers: withoutType(headers) };
  }
  return text === "" ? { body: noBody, headers } : toTextBody(text, headers, type);
}
