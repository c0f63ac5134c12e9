import type { CollectedAuthorization, CollectedBody, Pair, Position } from "../collection.ts";
import { toGraphql, toTextBody, withoutType } from "./bodies.ts";
import { toPlaceholders, toVariableName } from "./placeholders.ts";
import { readPostmanAuthorization } from "./postman-authorization.ts";
import { Collector, limits, noBody, type Reading, type SourceFile, toPair, UnreadableFile } from "./reading.ts";
import { reasons } from "./reasons.ts";
import { readScript, type ScriptReading } from "./script/read-script.ts";
import { isMembers, listOf, type Members, membersOf, type Path, readTree, type Tree, textOf } from "./tree.ts";
import { splitQuery, toPathParameters } from "./url.ts";

/** What folders hand on to their requests. */
interface Inherited {
  folders: string[];
  authorization: CollectedAuthorization;
  scripts: ScriptReading[];
  followRedirects: boolean;
}

export const isPostmanCollection = (value: unknown): boolean =>
  isMembers(value) && isMembers(value.info) && Array.isArray(value.item);
export const isPostmanEnvironment = (value: unknown): boolean =>
  isMembers(value) && Array.isArray(value.values) && !("item" in value) && !("resources" in value);

/** Reads collections of Postman 2.0 and 2.1, and environments. */
export function readPostman(files: readonly SourceFile[]): Reading {
  const trees = files.map(readTree);
  const names = trees.flatMap(({ value }) => textOf(membersOf(membersOf(value).info).name) || []);
  const collector = new Collector(names[0] ?? "Postman");
  for (const tree of trees) {
    if (isPostmanCollection(tree.value)) new PostmanReader(tree, collector).readCollection();
    else if (isPostmanEnvironment(tree.value)) readEnvironment(tree, collector);
    else throw new UnreadableFile(tree.file, 1, "It is neither a Postman collection nor an environment.");
  }
  return collector.finish();
}

function readEnvironment({ value, file }: Tree, { collection }: Collector): void {
  const { name, values } = membersOf(value);
  const variables = listOf(values)
    .map(membersOf)
    .filter(({ enabled }) => enabled !== false)
    .map((one) => ({
      name: toVariableName(textOf(one.key)),
      value: toPlaceholders(textOf(one.value)),
      secret: one.type === "secret",
    }));
  collection.environments.push({ name: textOf(name) || file, variables });
}

const isDisabled = (of: Members) => of.disabled === true;

class PostmanReader {
  readonly #root: Members;

  constructor(
    readonly tree: Tree,
    readonly collector: Collector,
  ) {
    this.#root = membersOf(tree.value);
  }

  readCollection(): void {
    const { info, item, variable, auth, event, protocolProfileBehavior } = this.#root;
    const { collection } = this.collector;
    collection.description ||= describe(membersOf(info).description);
    for (const one of listOf(variable).map(membersOf)) {
      if (isDisabled(one)) continue;
      const name = toVariableName(textOf(one.key) || textOf(one.id));
      collection.variables.push({ name, value: toPlaceholders(textOf(one.value)), secret: one.type === "secret" });
    }
    this.#readItems(listOf(item), ["item"], {
      folders: [],
      authorization: this.#authorization(auth, ["auth"], collection.name) ?? { kind: "inherit" },
      scripts: this.#readEvents(event, ["event"], collection.name),
      followRedirects: followsRedirects(protocolProfileBehavior) ?? true,
    });
  }

  #readItems(items: unknown[], path: Path, inherited: Inherited): void {
    if (inherited.folders.length > limits.depth)
      throw new UnreadableFile(this.tree.file, 0, `Folders are nested more than ${limits.depth} levels deep.`);
    const inOrder: string[] = [];
    for (const [index, one] of items.entries()) {
      const item = membersOf(one);
      const here = [...path, index];
      if (Array.isArray(item.item)) this.#readFolder(item, here, inherited);
      else if (item.request !== undefined) inOrder.push(this.#readRequest(item, here, inherited));
    }
    const name = inherited.folders.at(-1);
    if (name !== undefined && inOrder.length > 0)
      this.collector.addSequence({
        ...this.tree.at(path.slice(0, -1)),
        name: inherited.folders.join(" / "),
        requests: inOrder,
      });
  }

  #readFolder(item: Members, path: Path, inherited: Inherited): void {
    const name = textOf(item.name) || "Folder";
    this.#readItems(listOf(item.item), [...path, "item"], {
      folders: [...inherited.folders, name],
      authorization: this.#authorization(item.auth, [...path, "auth"], name) ?? inherited.authorization,
      scripts: [...inherited.scripts, ...this.#readEvents(item.event, [...path, "event"], name)],
      followRedirects: followsRedirects(item.protocolProfileBehavior) ?? inherited.followRedirects,
    });
  }

  #readRequest(item: Members, path: Path, inherited: Inherited): string {
    const name = textOf(item.name) || "Request";
    const position = this.tree.at([...path, "name"]);
    const request = typeof item.request === "string" ? { url: item.request } : membersOf(item.request);
    const here = [...path, "request"];
    const unknown = (generated: string) => this.collector.lose(position, name, `{{${generated}}}`, reasons.noGenerated);
    const fill = (text: string) => toPlaceholders(text, unknown);
    const url = this.#readUrl(request.url, fill);
    const headers = toPairs(request.header, fill);
    const { body, headers: remaining } = this.#readBody(
      membersOf(request.body),
      headers,
      [...here, "body"],
      name,
      fill,
    );
    const scripts = [...inherited.scripts, ...this.#readEvents(item.event, [...path, "event"], name)];
    const examples = listOf(item.response).length;
    if (examples > 0)
      this.collector.lose(
        this.tree.at([...path, "response"]),
        name,
        `${examples} saved ${examples === 1 ? "response" : "responses"}`,
        "Saved responses are examples; tests have assertions instead.",
      );
    const added = this.collector.add({
      ...position,
      ...{ name, folders: inherited.folders, description: describe(request.description) },
      ...{ method: (textOf(request.method) || "GET").toUpperCase(), ...url, headers: remaining, body },
      authorization: this.#authorization(request.auth, [...here, "auth"], name) ?? inherited.authorization,
      followRedirects: followsRedirects(item.protocolProfileBehavior) ?? inherited.followRedirects,
      assertions: scripts.flatMap(({ assertions }) => assertions),
      captures: scripts.flatMap(({ captures }) => captures),
    });
    return added.id;
  }

  #readUrl(url: unknown, fill: (text: string) => string) {
    const members = membersOf(url);
    const raw = fill(typeof url === "string" ? url : textOf(members.raw) || joinUrl(members));
    const { url: address, query } = splitQuery(raw);
    const { url: withParameters, pathParameters } = toPathParameters(address);
    const given = listOf(members.variable).map(membersOf);
    const named = [...withParameters.matchAll(/(?<!\{)\{([\w-]+)\}/g)].map(([, name]) => name!);
    const values = named.map((name) => {
      const found = given.find((one) => (textOf(one.key) || textOf(one.id)) === name);
      return pathParameters.find((one) => one.name === name) ?? toPair(name, fill(textOf(found?.value)));
    });
    return {
      url: withParameters,
      pathParameters: values,
      query: Array.isArray(members.query) ? toPairs(members.query, fill) : query,
    };
  }

  #readBody(
    body: Members,
    headers: Pair[],
    path: Path,
    of: string,
    fill: (text: string) => string,
  ): { body: CollectedBody; headers: Pair[] } {
    if (isDisabled(body)) return { body: noBody, headers };
    switch (body.mode) {
      case "raw": {
        const language = textOf(membersOf(membersOf(body.options).raw).language);
        const types: Record<string, string> = {
          json: "application/json",
          xml: "application/xml",
          html: "text/html",
          javascript: "application/javascript",
        };
        return toTextBody(fill(textOf(body.raw)), headers, types[language] ?? "");
      }
      case "urlencoded":
        return { body: { kind: "form", fields: toPairs(body.urlencoded, fill) }, headers: withoutType(headers) };
      case "formdata":
        return {
          body: { kind: "multipart", parts: this.#readParts(listOf(body.formdata), path, of, fill) },
          headers: withoutType(headers),
        };
      case "graphql": {
        const { query, variables } = membersOf(body.graphql);
        const given = typeof variables === "string" ? variables : isMembers(variables) ? JSON.stringify(variables) : "";
        return { body: toGraphql(fill(textOf(query)), fill(given)), headers: withoutType(headers) };
      }
      case "file":
        this.collector.lose(this.tree.at(path), of, "file as body", reasons.noFile);
        return { body: noBody, headers };
      default:
        return { body: noBody, headers };
    }
  }

  #readParts(parts: unknown[], path: Path, of: string, fill: (text: string) => string) {
    return parts.flatMap((one, index) => {
      const part = membersOf(one);
      const name = fill(textOf(part.key));
      if (part.type === "file") {
        const reason = reasons.noFile;
        this.collector.lose(this.tree.at([...path, "formdata", index]), of, `file ${name}`, reason);
        return [];
      }
      const mediaType = textOf(part.contentType) || undefined;
      return [{ ...toPair(name, fill(textOf(part.value)), !isDisabled(part)), mediaType, fileName: undefined }];
    });
  }

  #authorization(auth: unknown, path: Path, of: string): CollectedAuthorization | undefined {
    return readPostmanAuthorization(auth, (what, reason) => this.collector.lose(this.tree.at(path), of, what, reason));
  }

  #readEvents(events: unknown, path: Path, of: string): ScriptReading[] {
    return listOf(events).flatMap((one, index) => {
      const event = membersOf(one);
      const { exec } = membersOf(event.script);
      const here: Path = [...path, index, "script", "exec"];
      const lines = typeof exec === "string" ? exec.split("\n") : listOf(exec).map(textOf);
      const at = (line: number): Position => this.tree.at(typeof exec === "string" ? here : [...here, line - 1]);
      if (lines.join("").trim() === "" || event.disabled === true) return [];
      const reading = readScript(lines.join("\n"));
      for (const { name, value } of reading.literals) this.#define(name, value);
      if (event.listen === "prerequest") {
        const more = reading.losses.length > 0 || reading.captures.length + reading.assertions.length > 0;
        if (more) this.collector.lose(at(reading.losses[0]?.line ?? 1), of, "pre-request script", reasons.preRequest);
        return [];
      }
      for (const { line, what, reason } of reading.losses) this.collector.lose(at(line), of, what, reason);
      return [reading];
    });
  }

  /** A variable that a script sets to a text: the collection's, unless it has a value. */
  #define(name: string, value: string): void {
    const { variables } = this.collector.collection;
    const found = variables.find((one) => one.name === name);
    if (!found) variables.push({ name, value, secret: false });
    else if (found.value === "") found.value = value;
  }
}

function followsRedirects(behavior: unknown): boolean | undefined {
  const { followRedirects } = membersOf(behavior);
  return typeof followRedirects === "boolean" ? followRedirects : undefined;
}

const describe = (description: unknown) => textOf(description) || textOf(membersOf(description).content);

/** Rows with `key` and `value`; 2.0 also has headers as one text. */
function toPairs(rows: unknown, fill: (text: string) => string): Pair[] {
  if (typeof rows === "string")
    return rows.split("\n").flatMap((line) => {
      const colon = line.indexOf(":");
      return colon > 0 ? [toPair(fill(line.slice(0, colon).trim()), fill(line.slice(colon + 1).trim()))] : [];
    });
  return listOf(rows)
    .map(membersOf)
    .filter((row) => textOf(row.key) !== "")
    .map((row) => toPair(fill(textOf(row.key)), fill(textOf(row.value)), !isDisabled(row)));
}

function joinUrl({ protocol, host, path, port }: Members): string {
  const joined = (value: unknown, by: string) =>
    typeof value === "string"
      ? value
      : listOf(value)
          .map((one) => textOf(one) || textOf(membersOf(one).value))
          .join(by);
  const scheme = textOf(protocol) ? `${textOf(protocol)}://` : "";
  const route = joined(path, "/");
  return `${scheme}${joined(host, ".")}${textOf(port) ? `:${textOf(port)}` : ""}${route ? `/${route.replace(/^\//, "")}` : ""}`;
}
