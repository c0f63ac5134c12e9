import type { CollectedAuthorization, CollectedCapture, Pair, Variable } from "../collection.ts";
import { readBlocks } from "./bru-blocks.ts";
import { toBrunoAssertion, toBrunoSubject } from "./bruno-assertions.ts";
import { readBrunoAuthorization } from "./bruno-authorization.ts";
import { readBrunoBody } from "./bruno-bodies.ts";
import { type BruFile, pairsOf, parentOf, textIn, toRows } from "./bruno-files.ts";
import { isOpenCollection, readOpenCollection } from "./open-collection.ts";
import { toPlaceholders, toVariableName } from "./placeholders.ts";
import { Collector, type Reading, type SourceFile } from "./reading.ts";
import { reasons } from "./reasons.ts";
import { readScript, type ScriptReading } from "./script/read-script.ts";
import { membersOf, readTree, textOf } from "./tree.ts";
import { splitQuery, toPathParameters } from "./url.ts";

const methods = /^(get|post|put|patch|delete|head|options|trace|connect|http)$/;

/** What a collection or a folder gives to its requests. */
interface Level {
  name: string;
  headers: Pair[];
  authorization: CollectedAuthorization | undefined;
  scripts: ScriptReading[];
}

/** Reads collections of Bruno: folders of .bru files, or of YAML files. */
export function readBruno(files: readonly SourceFile[]): Reading {
  const yaml = files.filter(({ name }) => /\.ya?ml$/i.test(name));
  if (yaml.some((file) => isOpenCollection(readTree(file).value, file.name))) return readOpenCollection(yaml);
  return new BrunoReader(files).read();
}

class BrunoReader {
  readonly collector: Collector;
  readonly files: BruFile[];
  readonly #levels = new Map<string, Level>();
  readonly #root: string;

  constructor(sources: readonly SourceFile[]) {
    const [settings] = sources.filter(({ name }) => /(^|\/)bruno\.json$/i.test(name));
    const named = settings && textOf(membersOf(readTree(settings).value).name);
    this.files = sources
      .filter(({ name }) => !/\.json$/i.test(name))
      .map((source) => ({ file: source.name, folder: parentOf(source.name), blocks: readBlocks(source) }));
    const roots = settings ? [parentOf(settings.name)] : this.files.map(({ folder }) => folder);
    this.#root = roots.sort((one, other) => one.length - other.length)[0] ?? "";
    this.collector = new Collector(named || this.#root.split("/").at(-1) || "Bruno");
  }

  read(): Reading {
    const isEnvironment = ({ folder }: BruFile) => /(^|\/)environments$/i.test(folder);
    const isLevel = ({ file }: BruFile) => /(^|\/)(collection|folder)\.bru$/i.test(file);
    for (const file of this.files) if (isEnvironment(file)) this.#readEnvironment(file);
    for (const file of this.files) if (isLevel(file)) this.#levels.set(file.folder, this.#readLevel(file));
    const requests = this.files.filter((file) => !isEnvironment(file) && !isLevel(file) && this.#isRequest(file));
    const order = (file: BruFile) => Number(textIn(file, "meta", "seq")) || 0;
    requests.sort((one, other) =>
      one.folder === other.folder ? order(one) - order(other) : one.folder < other.folder ? -1 : 1,
    );
    const byFolder = new Map<string, string[]>();
    for (const file of requests) {
      const ids = byFolder.get(file.folder) ?? [];
      byFolder.set(file.folder, ids);
      ids.push(this.#readRequest(file));
    }
    for (const [folder, ids] of byFolder) {
      if (folder === this.#root) continue;
      const name = this.#foldersOf(folder).join(" / ");
      this.collector.addSequence({ file: folder, line: 0, name, requests: ids });
    }
    return this.collector.finish();
  }

  #isRequest({ file, blocks }: BruFile): boolean {
    if (blocks.some(({ name }) => methods.test(name))) return true;
    const kind = blocks.find(({ name }) => /^(grpc|ws|websocket)$/.test(name));
    if (blocks.length > 0)
      this.collector.lose(
        { file, line: kind?.line ?? 1 },
        file,
        kind ? `request of ${kind.name}` : "file",
        kind ? "Only HTTP requests become tests." : "It has no request.",
      );
    return false;
  }

  #readEnvironment({ file, blocks }: BruFile): void {
    const variables: Variable[] = [];
    for (const block of blocks) {
      if (block.name === "vars")
        for (const { name, value, enabled } of block.pairs)
          if (enabled) variables.push({ name: toVariableName(name), value: toPlaceholders(value), secret: false });
      if (block.name === "vars:secret")
        for (const name of block.list) {
          variables.push({ name: toVariableName(name), value: "", secret: true });
          this.collector.lose(
            { file, line: block.line },
            file,
            `secret ${name}`,
            "Its value is not in the file. Enter a value for the variable, or store a credential.",
          );
        }
    }
    const name = file
      .split("/")
      .at(-1)!
      .replace(/\.bru$/i, "");
    this.collector.collection.environments.push({ name, variables });
  }

  #readLevel(file: BruFile): Level {
    const name = textIn(file, "meta", "name") || file.folder.split("/").at(-1) || "";
    for (const { pairs } of file.blocks.filter((block) => block.name === "vars:pre-request"))
      for (const pair of pairs)
        if (pair.enabled)
          this.collector.collection.variables.push({
            name: toVariableName(pair.name),
            value: toPlaceholders(pair.value),
            secret: false,
          });
    return {
      name,
      headers: toRows(pairsOf(file, "headers")),
      authorization: this.#readAuthorization(file, textIn(file, "auth", "mode")),
      scripts: this.#readScripts(file, name),
    };
  }

  /** Names of folders from the root to this one. */
  #foldersOf(folder: string): string[] {
    const inner = this.#root === "" ? folder : folder.slice(this.#root.length + 1);
    if (inner === "" || folder === this.#root) return [];
    const parts = inner.split("/");
    return parts.map((part, index) => {
      const path = [...(this.#root ? [this.#root] : []), ...parts.slice(0, index + 1)].join("/");
      return this.#levels.get(path)?.name || part;
    });
  }

  /** Of the root first. */
  #levelsOf(folder: string): Level[] {
    const levels: Level[] = [];
    for (let path = folder; ; path = parentOf(path)) {
      const level = this.#levels.get(path);
      if (level) levels.unshift(level);
      if (path === "" || path === this.#root) return levels;
    }
  }

  #readRequest(file: BruFile): string {
    const call = file.blocks.find(({ name }) => methods.test(name))!;
    const name =
      textIn(file, "meta", "name") ||
      file.file
        .split("/")
        .at(-1)!
        .replace(/\.bru$/i, "");
    const position = { file: file.file, line: call.line };
    const lose = (what: string, reason: string, line = call.line) =>
      this.collector.lose({ file: file.file, line }, name, what, reason);
    const given = (wanted: string) => call.pairs.find((pair) => pair.name === wanted)?.value ?? "";
    const fill = (text: string) => toPlaceholders(text, (generated) => lose(`{{${generated}}}`, reasons.noGenerated));
    const levels = this.#levelsOf(file.folder);
    const { url, query: inUrl } = splitQuery(fill(given("url")));
    const { url: address, pathParameters } = toPathParameters(url);
    const inPath = toRows(pairsOf(file, "params:path"));
    const query = file.blocks.filter((block) => block.name === "params:query" || block.name === "query");
    const headers = [...levels.flatMap((level) => level.headers), ...toRows(pairsOf(file, "headers"))];
    const { body, headers: remaining } = readBrunoBody(file, given("body"), headers, (line, what, reason) =>
      lose(what, reason, line),
    );
    const mode = given("auth");
    const own = mode === "inherit" || mode === "" ? undefined : this.#readAuthorization(file, mode);
    const inherited = levels
      .map((level) => level.authorization)
      .filter((one) => one !== undefined)
      .at(-1);
    const scripts = [...levels.flatMap((level) => level.scripts), ...this.#readScripts(file, name)];
    for (const block of file.blocks.filter((one) => one.name === "vars:pre-request"))
      lose(
        "variables before the request",
        "A test has no variables of its own. Set them at the API, the environment or the circle.",
        block.line,
      );
    const added = this.collector.add({
      ...position,
      ...{
        name,
        folders: this.#foldersOf(file.folder),
        description: file.blocks.find((block) => block.name === "docs")?.text ?? "",
      },
      method: (call.name === "http" ? given("method") : call.name).toUpperCase() || "GET",
      url: address,
      pathParameters: [...pathParameters.filter((one) => !inPath.some((row) => row.name === one.name)), ...inPath],
      query: query.length > 0 ? query.flatMap((block) => toRows(block.pairs)) : inUrl,
      ...{
        headers: remaining,
        body,
        authorization: own ?? (mode === "none" ? { kind: "none" } : inherited) ?? { kind: "inherit" },
      },
      followRedirects: textIn(file, "settings", "followRedirects") !== "false",
      timeoutMilliseconds: Number(textIn(file, "settings", "timeout")) || undefined,
      assertions: [...this.#readAssertions(file, name), ...scripts.flatMap((script) => script.assertions)],
      captures: [...this.#readCaptures(file, name), ...scripts.flatMap((script) => script.captures)],
    });
    return added.id;
  }

  #readAssertions({ file, blocks }: BruFile, of: string) {
    return blocks
      .filter(({ name }) => name === "assert")
      .flatMap(({ pairs }) => pairs)
      .filter(({ enabled }) => enabled)
      .flatMap(({ name, value, line }) => {
        const found = toBrunoAssertion(name, value);
        if (!found) this.collector.lose({ file, line }, of, `assertion ${name}: ${value}`, reasons.noAssertion);
        return found ?? [];
      });
  }

  #readCaptures({ file, blocks }: BruFile, of: string): CollectedCapture[] {
    return blocks
      .filter(({ name }) => name === "vars:post-response")
      .flatMap(({ pairs }) => pairs)
      .filter(({ enabled }) => enabled)
      .flatMap(({ name, value, line }) => {
        const subject = toBrunoSubject(value);
        if (!subject || subject.source === "responseTime") {
          this.collector.lose({ file, line }, of, `variable ${name}: ${value}`, reasons.noCapture);
          return [];
        }
        const source = subject.source as CollectedCapture["source"];
        return [
          {
            name: toVariableName(name.replace(/^@/, "")),
            source,
            property: subject.property,
            pattern: undefined,
            secret: false,
          },
        ];
      });
  }

  #readScripts({ file, blocks }: BruFile, of: string): ScriptReading[] {
    return blocks.flatMap(({ name, text, line }) => {
      if (name === "script:pre-request" && text.trim() !== "")
        this.collector.lose({ file, line }, of, "pre-request script", reasons.preRequest);
      if (name !== "tests" && name !== "script:post-response") return [];
      const reading = readScript(text, { statusIsCode: true });
      for (const loss of reading.losses)
        this.collector.lose({ file, line: line + loss.line }, of, loss.what, loss.reason);
      return [reading];
    });
  }

  #readAuthorization(file: BruFile, mode: string): CollectedAuthorization | undefined {
    const block = `auth:${mode}`;
    const line = file.blocks.find(({ name }) => name === block)?.line ?? 1;
    return readBrunoAuthorization(
      mode,
      (name) => toPlaceholders(textIn(file, block, name)),
      (what, reason) => this.collector.lose({ file: file.file, line }, file.file, what, reason),
    );
  }
}
