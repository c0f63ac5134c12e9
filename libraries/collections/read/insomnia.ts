import type { CollectedAuthorization, CollectedRequest, Pair, Variable } from "../collection.ts";
import { readInsomniaAuthorization } from "./insomnia-authorization.ts";
import { readInsomniaBody, readInsomniaRows } from "./insomnia-bodies.ts";
import { createTemplateReader, type ResponseReference } from "./insomnia-templates.ts";
import { toVariableName } from "./placeholders.ts";
import { Collector, limits, type Reading, type SourceFile, toPair, UnreadableFile } from "./reading.ts";
import { reasons } from "./reasons.ts";
import { readScript } from "./script/read-script.ts";
import { isMembers, listOf, type Members, membersOf, type Path, readTree, type Tree, textOf } from "./tree.ts";
import { splitQuery, toPathParameters } from "./url.ts";

const isOlder = (value: unknown) => isMembers(value) && value._type === "export" && Array.isArray(value.resources);
const isNewer = (value: unknown) =>
  isMembers(value) && /^(collection|spec)\.insomnia\.rest\/5/.test(textOf(value.type));

export const isInsomnia = (value: unknown): boolean => isOlder(value) || isNewer(value);

/** A request or a folder of either version. */
interface Item {
  path: Path;
  value: Members;
  id: string;
  children: Item[] | undefined;
}

/** Reads exports of Insomnia: version 4 as JSON, and 5 as YAML. */
export function readInsomnia(files: readonly SourceFile[]): Reading {
  const trees = files.map(readTree);
  const collector = new Collector(trees.map(nameOf).find(Boolean) ?? "Insomnia");
  for (const tree of trees) {
    if (!isInsomnia(tree.value)) throw new UnreadableFile(tree.file, 1, "It is no export of Insomnia 4 or 5.");
    new InsomniaReader(tree, collector).read();
  }
  return collector.finish();
}

function nameOf({ value }: Tree): string {
  if (isNewer(value)) return textOf(membersOf(value).name);
  const workspace = listOf(membersOf(value).resources)
    .map(membersOf)
    .find(({ _type }) => _type === "workspace");
  return textOf(workspace?.name);
}

class InsomniaReader {
  readonly #root: Members;
  readonly #references: ResponseReference[] = [];
  readonly #byId = new Map<string, CollectedRequest>();

  constructor(
    readonly tree: Tree,
    readonly collector: Collector,
  ) {
    this.#root = membersOf(tree.value);
  }

  read(): void {
    if (isNewer(this.#root)) {
      const { environments, collection } = this.#root;
      this.#readEnvironment(membersOf(environments));
      for (const one of listOf(membersOf(environments).subEnvironments)) this.#readEnvironment(membersOf(one));
      this.#readItems(toItems(listOf(collection), ["collection"], 0), [], { headers: [], authorization: undefined });
    } else this.#readOlder();
    for (const { requestId, source, property, variable } of this.#references) {
      const request = this.#byId.get(requestId);
      if (!request || request.captures.some(({ name }) => name === variable)) continue;
      request.captures.push({ name: variable, source, property, pattern: undefined, secret: false });
    }
  }

  #readOlder(): void {
    const resources = listOf(this.#root.resources).map((value, index) => ({
      value: membersOf(value),
      path: ["resources", index],
    }));
    const base = resources.filter(({ value }) => value._type === "environment");
    for (const { value } of base) this.#readEnvironment(value);
    const byParent = new Map<string, typeof resources>();
    for (const one of resources) {
      if (one.value._type !== "request" && one.value._type !== "request_group") {
        if (/^(grpc_request|websocket_request|unit_test)/.test(textOf(one.value._type)))
          this.collector.lose(
            this.tree.at(one.path),
            textOf(one.value.name),
            textOf(one.value._type),
            "Only HTTP requests become tests.",
          );
        continue;
      }
      const parent = textOf(one.value.parentId);
      byParent.set(parent, [...(byParent.get(parent) ?? []), one]);
    }
    const seen = new Set<string>();
    const toChildren = (parent: string): Item[] => {
      // A folder that is in itself would have no end.
      if (seen.has(parent) || seen.size > limits.files) return [];
      seen.add(parent);
      const key = ({ value }: { value: Members }) => Number(value.metaSortKey) || 0;
      return (byParent.get(parent) ?? [])
        .sort((one, other) => key(one) - key(other))
        .map(({ value, path }) => ({
          ...{ value, path, id: textOf(value._id) },
          children: value._type === "request_group" ? toChildren(textOf(value._id)) : undefined,
        }));
    };
    const ids = new Set(resources.map(({ value }) => textOf(value._id)));
    const groups = new Set(
      resources.filter(({ value }) => value._type === "request_group").map(({ value }) => textOf(value._id)),
    );
    const roots = [...byParent.keys()].filter((parent) => !groups.has(parent) || !ids.has(parent));
    this.#readItems(roots.flatMap(toChildren), [], { headers: [], authorization: undefined });
  }

  #readEnvironment({ name, data }: Members): void {
    const variables: Variable[] = [];
    const flatten = (value: unknown, path: string[]) => {
      if (path.length > 10) return;
      if (isMembers(value)) for (const [key, inner] of Object.entries(value)) flatten(inner, [...path, key]);
      else if (path.length > 0) {
        const text = Array.isArray(value) ? JSON.stringify(value) : this.#fill(textOf(value), textOf(name), []);
        variables.push({ name: toVariableName(path.join(".")), value: text, secret: false });
      }
    };
    flatten(data, []);
    if (variables.length === 0) return;
    const { collection } = this.collector;
    // The first one is the base of the others.
    if (collection.variables.length === 0) collection.variables.push(...variables);
    else collection.environments.push({ name: textOf(name) || "Environment", variables });
  }

  #fill(text: string, of: string, path: Path): string {
    if (!text.includes("{")) return text;
    return createTemplateReader({
      refer: (reference) => void this.#references.push(reference),
      lose: (what, reason) => this.collector.lose(this.tree.at(path), of, what, reason),
    }).fill(text);
  }

  #readItems(
    items: readonly Item[],
    folders: string[],
    inherited: { headers: Pair[]; authorization: CollectedAuthorization | undefined },
  ): void {
    if (folders.length > limits.depth) throw new UnreadableFile(this.tree.file, 0, "Folders are nested too deeply.");
    const inOrder: string[] = [];
    for (const item of items) {
      const name = textOf(item.value.name) || "Request";
      if (!item.children) inOrder.push(this.#readRequest(item, name, folders, inherited));
      else {
        const headers = [...inherited.headers, ...this.#readRows(item.value.headers, name, item.path)];
        const authorization =
          this.#readAuthorization(item.value.authentication, name, item.path) ?? inherited.authorization;
        this.#readItems(item.children, [...folders, name], { headers, authorization });
      }
    }
    const [first] = items;
    if (folders.length > 0 && first)
      this.collector.addSequence({
        ...this.tree.at(first.path.slice(0, -1)),
        name: folders.join(" / "),
        requests: inOrder,
      });
  }

  #readRequest(
    { value, path, id }: Item,
    name: string,
    folders: string[],
    inherited: { headers: Pair[]; authorization: CollectedAuthorization | undefined },
  ): string {
    const { url, query } = splitQuery(this.#fill(textOf(value.url), name, path));
    const { url: address, pathParameters } = toPathParameters(url);
    const given = this.#readRows(value.pathParameters, name, path);
    const named = [...address.matchAll(/(?<!\{)\{([\w-]+)\}/g)].map(([, one]) => one!);
    const headers = [...inherited.headers, ...this.#readRows(value.headers, name, path)];
    const { body, headers: remaining } = readInsomniaBody(
      membersOf(value.body),
      headers,
      (text) => this.#fill(text, name, path),
      (what, reason) => this.collector.lose(this.tree.at([...path, "body"]), name, what, reason),
    );
    const scripts = membersOf(value.scripts);
    const before = textOf(value.preRequestScript) || textOf(scripts.preRequest);
    if (before.trim() !== "") this.collector.lose(this.tree.at(path), name, "pre-request script", reasons.preRequest);
    const after = readScript(textOf(value.afterResponseScript) || textOf(scripts.afterResponse));
    for (const { what, reason } of after.losses)
      this.collector.lose(
        this.tree.at([...path, isNewer(this.#root) ? "scripts" : "afterResponseScript"]),
        name,
        what,
        reason,
      );
    const follow = textOf(value.settingFollowRedirects) || textOf(membersOf(value.settings).followRedirects);
    const added = this.collector.add({
      ...this.tree.at([...path, "name"]),
      ...{ name, folders, description: textOf(value.description) || textOf(membersOf(value.meta).description) },
      ...{ method: (textOf(value.method) || "GET").toUpperCase(), url: address },
      pathParameters: named.map(
        (one) =>
          given.find((row) => row.name === one) ?? pathParameters.find((row) => row.name === one) ?? toPair(one, ""),
      ),
      query: [...query, ...this.#readRows(value.parameters, name, path)],
      ...{ headers: remaining, body },
      authorization: this.#readAuthorization(value.authentication, name, path) ??
        inherited.authorization ?? { kind: "inherit" },
      followRedirects: follow !== "off",
      ...{ assertions: after.assertions, captures: after.captures },
    });
    this.#byId.set(id, added);
    return added.id;
  }

  #readRows(rows: unknown, of: string, path: Path): Pair[] {
    return readInsomniaRows(rows, (text) => this.#fill(text, of, path));
  }

  #readAuthorization(value: unknown, of: string, path: Path): CollectedAuthorization | undefined {
    return readInsomniaAuthorization(
      value,
      (text) => this.#fill(text, of, path),
      (what, reason) => this.collector.lose(this.tree.at([...path, "authentication"]), of, what, reason),
    );
  }
}

function toItems(values: readonly unknown[], path: Path, depth: number): Item[] {
  if (depth > limits.depth) return [];
  return values.map((one, index) => {
    const value = membersOf(one);
    const here = [...path, index];
    const children = Array.isArray(value.children)
      ? toItems(value.children, [...here, "children"], depth + 1)
      : undefined;
    return { path: here, value, id: textOf(membersOf(value.meta).id), children };
  });
}
