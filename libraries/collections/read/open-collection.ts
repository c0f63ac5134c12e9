import type { CollectedAuthorization, CollectedBody, Pair, Variable } from "../collection.ts";
import { toGraphql, toTextBody, withoutType } from "./bodies.ts";
import { toBrunoAssertion } from "./bruno-assertions.ts";
import { readBrunoAuthorization } from "./bruno-authorization.ts";
import { toPlaceholders, toVariableName } from "./placeholders.ts";
import { Collector, limits, noBody, type Reading, type SourceFile, toPair } from "./reading.ts";
import { reasons } from "./reasons.ts";
import { readScript, type ScriptReading } from "./script/read-script.ts";
import { isMembers, listOf, type Members, membersOf, type Path, readTree, type Tree, textOf } from "./tree.ts";
import { splitQuery, toPathParameters } from "./url.ts";

/** Bruno's newer form: YAML files of requests beside `opencollection.yml`, or all in that one. */
export const isOpenCollection = (value: unknown, name: string): boolean =>
  isMembers(value) &&
  ("opencollection" in value ||
    (isMembers(value.info) && (isMembers(value.http) || isMembers(value.request) || value.info.type === "folder")) ||
    (/(^|\/)environments\//.test(name) && Array.isArray(value.variables)));

interface Level {
  name: string;
  headers: Pair[];
  authorization: CollectedAuthorization | undefined;
  scripts: ScriptReading[];
}

/** A request or folder with where it was written. */
interface Item {
  tree: Tree;
  path: Path;
  value: Members;
  folders: Level[];
}

const parentOf = (path: string) => path.split("/").slice(0, -1).join("/");
const orderOf = ({ value }: Item) => Number(membersOf(value.info).seq) || 0;

export function readOpenCollection(files: readonly SourceFile[]): Reading {
  return new OpenCollectionReader(files.map(readTree)).read();
}

class OpenCollectionReader {
  readonly collector: Collector;
  readonly #root: Tree | undefined;

  constructor(readonly trees: readonly Tree[]) {
    this.#root = trees.find(({ value }) => "opencollection" in membersOf(value));
    this.collector = new Collector(textOf(membersOf(membersOf(this.#root?.value).info).name) || "Bruno");
  }

  read(): Reading {
    const base = this.#root ? parentOf(this.#root.file) : "";
    const root = membersOf(this.#root?.value);
    for (const one of listOf(membersOf(root.config).environments)) this.#readEnvironment(membersOf(one));
    const rootLevel = this.#root ? [this.#readLevel(this.#root, [], root)] : [];
    const levels = new Map<string, Level>();
    for (const tree of this.trees)
      if (/(^|\/)folder\.ya?ml$/i.test(tree.file))
        levels.set(parentOf(tree.file), this.#readLevel(tree, [], membersOf(tree.value)));
    const items: Item[] = [];
    for (const tree of this.trees) {
      const value = membersOf(tree.value);
      if (/(^|\/)environments\/[^/]+$/i.test(tree.file)) this.#readEnvironment(value);
      else if (isMembers(value.http)) {
        const inner = parentOf(tree.file).slice(base === "" ? 0 : base.length + 1);
        const parts = inner === "" ? [] : inner.split("/");
        const folders = parts.map((part, index): Level => {
          const path = [...(base ? [base] : []), ...parts.slice(0, index + 1)].join("/");
          return levels.get(path) ?? { name: part, headers: [], authorization: undefined, scripts: [] };
        });
        items.push({ tree, path: [], value, folders: [...rootLevel, ...folders] });
      } else if (isMembers(value.grpc) || isMembers(value.websocket) || isMembers(value.graphql))
        this.collector.lose(
          tree.at([]),
          textOf(membersOf(value.info).name),
          "request",
          "Only HTTP requests become tests.",
        );
    }
    if (this.#root) this.#collect(listOf(root.items), this.#root, ["items"], rootLevel, items);
    const byFolder = new Map<string, Item[]>();
    for (const item of items) {
      const key = item.folders
        .slice(rootLevel.length)
        .map(({ name }) => name)
        .join(" / ");
      byFolder.set(key, [...(byFolder.get(key) ?? []), item]);
    }
    for (const [folder, inFolder] of byFolder) {
      const ids = inFolder
        .sort((one, other) => orderOf(one) - orderOf(other))
        .map((item) => this.#readRequest(item, rootLevel.length));
      if (folder !== "")
        this.collector.addSequence({ file: inFolder[0]!.tree.file, line: 0, name: folder, requests: ids });
    }
    return this.collector.finish();
  }

  #collect(values: readonly unknown[], tree: Tree, path: Path, folders: Level[], items: Item[]): void {
    if (folders.length > limits.depth) return;
    for (const [index, one] of values.entries()) {
      const value = membersOf(one);
      const here = [...path, index];
      if (Array.isArray(value.items))
        this.#collect(value.items, tree, [...here, "items"], [...folders, this.#readLevel(tree, here, value)], items);
      else if (isMembers(value.http)) items.push({ tree, path: here, value, folders });
    }
  }

  #readEnvironment({ name, variables }: Members): void {
    this.collector.collection.environments.push({
      name: textOf(name) || "Environment",
      variables: this.#readVariables(variables),
    });
  }

  #readVariables(rows: unknown): Variable[] {
    return listOf(rows)
      .map(membersOf)
      .filter((row) => row.disabled !== true && row.enabled !== false && textOf(row.name) !== "")
      .map((row) => {
        const value = isMembers(row.value) ? textOf(row.value.data) : textOf(row.value);
        return { name: toVariableName(textOf(row.name)), value: toPlaceholders(value), secret: row.secret === true };
      });
  }

  #readLevel(tree: Tree, path: Path, value: Members): Level {
    const name = textOf(membersOf(value.info).name);
    const request = membersOf(value.request);
    this.collector.collection.variables.push(...this.#readVariables(request.variables));
    return {
      name,
      headers: toRows(request.headers),
      authorization: this.#readAuthorization(request.auth, tree, path, name),
      scripts: this.#readScripts(request.scripts, tree, path, name),
    };
  }

  #readRequest({ tree, path, value, folders }: Item, rootLevels: number): string {
    const [info, http, runtime, settings] = [value.info, value.http, value.runtime, value.settings].map(membersOf) as [
      Members,
      Members,
      Members,
      Members,
    ];
    const name = textOf(info.name) || tree.file;
    const lose = (what: string, reason: string, at: Path) =>
      this.collector.lose(tree.at([...path, ...at]), name, what, reason);
    const { url, query } = splitQuery(toPlaceholders(textOf(http.url)));
    const { url: address, pathParameters } = toPathParameters(url);
    const parameters = listOf(http.params).map(membersOf);
    const inPath = toRows(parameters.filter((one) => one.type === "path"));
    const inQuery = toRows(parameters.filter((one) => one.type !== "path"));
    const { body, headers } = this.#readBody(
      membersOf(http.body),
      [...folders.flatMap((level) => level.headers), ...toRows(http.headers)],
      lose,
    );
    const scripts = [
      ...folders.flatMap((level) => level.scripts),
      ...this.#readScripts(runtime.scripts, tree, [...path, "runtime", "scripts"], name),
    ];
    if (listOf(runtime.variables).length > 0)
      lose(
        "variables of the request",
        "A test has no variables of its own. Set them at the API, the environment or the circle.",
        ["runtime", "variables"],
      );
    const asserted = listOf(runtime.assertions)
      .map(membersOf)
      .filter((one) => one.disabled !== true);
    const inherited = folders
      .map((level) => level.authorization)
      .filter((one) => one !== undefined)
      .at(-1);
    const added = this.collector.add({
      ...tree.at([...path, "http"]),
      ...{ name, folders: folders.slice(rootLevels).map((level) => level.name), description: textOf(value.docs) },
      ...{ method: (textOf(http.method) || "GET").toUpperCase(), url: address, headers, body },
      pathParameters: [...pathParameters.filter((one) => !inPath.some((row) => row.name === one.name)), ...inPath],
      query: parameters.length > 0 ? inQuery : query,
      authorization: this.#readAuthorization(http.auth, tree, path, name) ?? inherited ?? { kind: "inherit" },
      followRedirects: settings.followRedirects !== false,
      timeoutMilliseconds: Number(settings.timeout) || undefined,
      assertions: [
        ...asserted.flatMap((one, index) => {
          const written = `${textOf(one.operator)} ${textOf(one.value)}`.trim();
          const found = toBrunoAssertion(textOf(one.expression), written);
          if (!found)
            lose(`assertion ${textOf(one.expression)}: ${written}`, reasons.noAssertion, [
              "runtime",
              "assertions",
              index,
            ]);
          return found ?? [];
        }),
        ...scripts.flatMap((script) => script.assertions),
      ],
      captures: scripts.flatMap((script) => script.captures),
    });
    return added.id;
  }

  #readScripts(value: unknown, tree: Tree, path: Path, of: string): ScriptReading[] {
    return listOf(value).flatMap((one, index) => {
      const { type, code } = membersOf(one);
      const at = tree.at([...path, index]);
      if (type === "before-request" || type === "pre-request") {
        this.collector.lose(at, of, "pre-request script", reasons.preRequest);
        return [];
      }
      const reading = readScript(textOf(code), { statusIsCode: true });
      for (const loss of reading.losses)
        this.collector.lose(
          { file: at.file, line: at.line === 0 ? 0 : at.line + loss.line + 1 },
          of,
          loss.what,
          loss.reason,
        );
      return [reading];
    });
  }

  #readBody(
    { type, data }: Members,
    headers: Pair[],
    lose: (what: string, reason: string, at: Path) => void,
  ): { body: CollectedBody; headers: Pair[] } {
    const text = toPlaceholders(textOf(data));
    const types: Record<string, string> = {
      json: "application/json",
      xml: "application/xml",
      text: "text/plain",
      sparql: "application/sparql-query",
    };
    switch (textOf(type)) {
      case "form-urlencoded":
        return { body: { kind: "form", fields: toRows(data) }, headers: withoutType(headers) };
      case "multipart-form": {
        const rows = listOf(data).map(membersOf);
        for (const row of rows)
          if (row.type === "file") lose(`file ${textOf(row.name)}`, reasons.noFile, ["http", "body"]);
        const parts = toRows(rows.filter((row) => row.type !== "file")).map((row) => ({
          ...row,
          mediaType: undefined,
          fileName: undefined,
        }));
        return { body: { kind: "multipart", parts }, headers: withoutType(headers) };
      }
      case "graphql":
        return {
          body: toGraphql(
            toPlaceholders(textOf(membersOf(data).query)),
            toPlaceholders(textOf(membersOf(data).variables)),
          ),
          headers: withoutType(headers),
        };
      case "file":
        lose("file as body", reasons.noFile, ["http", "body"]);
        return { body: noBody, headers };
      default:
        return text === "" ? { body: noBody, headers } : toTextBody(text, headers, types[textOf(type)] ?? "");
    }
  }

  #readAuthorization(value: unknown, tree: Tree, path: Path, of: string): CollectedAuthorization | undefined {
    const settings = membersOf(value);
    return readBrunoAuthorization(
      textOf(settings.type) || textOf(value),
      (name) => toPlaceholders(textOf(settings[name])),
      (what, reason) => this.collector.lose(tree.at(path), of, what, reason),
    );
  }
}

const toRows = (rows: unknown): Pair[] =>
  listOf(rows)
    .map(membersOf)
    .filter((row) => textOf(row.name) !== "")
    .map((row) => toPair(toPlaceholders(textOf(row.name)), toPlaceholders(textOf(row.value)), row.disabled !== true));
