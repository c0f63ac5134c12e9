import type { CollectedAuthorization, CollectedRequest, Pair, Variable } from "../collection.ts";
import { toGraphql, toTextBody, withoutType } from "./bodies.ts";
import { toPlaceholders, toVariableName } from "./placeholders.ts";
import { Collector, noBody, type Reading, type SourceFile, toPair } from "./reading.ts";
import { reasons } from "./reasons.ts";
import { readScript } from "./script/read-script.ts";
import { isMembers, membersOf, readTree, textOf } from "./tree.ts";
import { parsePairs, splitQuery, toPathParameters } from "./url.ts";

const requestLine =
  /^(?:(GET|HEAD|POST|PUT|DELETE|CONNECT|PATCH|OPTIONS|TRACE|LIST|QUERY|GRAPHQL|GRPC|WEBSOCKET|WSS|RSOCKET)\s+)?(\S.*?)(?:\s+HTTP\/[\d.]+)?$/;
export const isEnvironmentFile = (name: string) => /http-client(\.private)?\.env\.json$/i.test(name);

/** A value of an earlier response: `{{login.response.body.$.token}}`. */
interface Reference {
  request: string;
  source: "jsonPath" | "xPath" | "header" | "body";
  property: string | undefined;
  variable: string;
}

/** Reads `.http` and `.rest` files as VS Code's REST Client and JetBrains' HTTP Client write them. */
export function readHttpFiles(files: readonly SourceFile[]): Reading {
  const requests = files.filter(({ name }) => !/\.json$/i.test(name));
  const first = requests[0]?.name
    .split("/")
    .at(-1)
    ?.replace(/\.(http|rest)$/i, "");
  const collector = new Collector((requests.length === 1 && first) || "Requests");
  for (const file of files) if (isEnvironmentFile(file.name)) readEnvironments(file, collector);
  for (const file of requests) {
    const ids = new HttpFileReader(file, collector).read();
    collector.addSequence({ file: file.name, line: 1, name: file.name.replace(/\.(http|rest)$/i, ""), requests: ids });
  }
  return collector.finish();
}

function readEnvironments(file: SourceFile, { collection }: Collector): void {
  const secret = /private/i.test(file.name);
  for (const [name, values] of Object.entries(membersOf(readTree(file).value))) {
    const variables: Variable[] = Object.entries(membersOf(values)).flatMap(([key, value]) =>
      isMembers(value) ? [] : [{ name: toVariableName(key), value: toPlaceholders(textOf(value)), secret }],
    );
    const known = collection.environments.find((one) => one.name === name);
    if (known) known.variables.push(...variables);
    else if (name !== "$schema") collection.environments.push({ name, variables });
  }
}

interface Block {
  title: string;
  /** Of its first line, from 0. */
  from: number;
  lines: string[];
}

class HttpFileReader {
  readonly #ids: string[] = [];
  readonly #byName = new Map<string, CollectedRequest>();
  readonly #references: Reference[] = [];

  constructor(
    readonly source: SourceFile,
    readonly collector: Collector,
  ) {}

  read(): string[] {
    for (const block of this.#split()) this.#readBlock(block);
    for (const { request, source, property, variable } of this.#references) {
      const found = this.#byName.get(request);
      if (found && !found.captures.some(({ name }) => name === variable))
        found.captures.push({ name: variable, source, property, pattern: undefined, secret: false });
    }
    return this.#ids;
  }

  #split(): Block[] {
    const blocks: Block[] = [{ title: "", from: 0, lines: [] }];
    for (const [index, line] of this.source.text.split("\n").entries()) {
      if (/^###/.test(line)) blocks.push({ title: line.replace(/^#+\s*/, "").trim(), from: index + 1, lines: [] });
      else blocks.at(-1)!.lines.push(line);
    }
    return blocks;
  }

  #readBlock({ title, from, lines }: Block): void {
    const reader = new BlockReader(lines);
    const { settings, variables, pre, call } = reader.readHead();
    const name = settings.get("name") || title;
    const at = (line: number) => ({ file: this.source.name, line: from + line + 1 });
    const lose = (line: number, what: string, reason: string) =>
      this.collector.lose(at(line), name || what, what, reason);
    for (const { name: variable, value } of variables)
      this.collector.collection.variables.push({
        name: toVariableName(variable),
        value: this.#fill(value, (what) => lose(0, what, reasons.noGenerated)),
        secret: false,
      });
    if (pre !== undefined) lose(pre, "pre-request script", reasons.preRequest);
    if (!call) return;
    const fill = (text: string) => this.#fill(text, (what) => lose(call.line, what, reasons.noGenerated));
    const [, verb, target = ""] = requestLine.exec(call.text) ?? [];
    if (/^(GRPC|WEBSOCKET|WSS|RSOCKET)$/.test(verb ?? "")) {
      lose(call.line, `request of ${verb}`, "Only HTTP requests become tests.");
      return;
    }
    const {
      headers: rows,
      body: text,
      file,
      scripts,
    } = reader.readRest((line, what, reason) => lose(line, what, reason));
    if (file !== undefined) lose(file, "file as body", reasons.noFile);
    const { url, query } = splitQuery(fill(target));
    const { url: address, pathParameters } = toPathParameters(withHost(url, rows));
    const readings = scripts.map(({ line, code }) => ({ line, reading: readScript(code, { statusIsCode: true }) }));
    for (const { line, reading } of readings)
      for (const loss of reading.losses) lose(line + loss.line - 1, loss.what, loss.reason);
    const { authorization, headers } = takeAuthorization(rows.map((row) => toPair(fill(row.name), fill(row.value))));
    const isGraphql =
      verb === "GRAPHQL" || headers.some((row) => /^x-request-type$/i.test(row.name) && /graphql/i.test(row.value));
    const path = address.replace(/^(\{\{[^}]*\}\}|https?:\/\/[^/]+)/i, "") || "/";
    const method = verb === undefined ? "GET" : verb === "GRAPHQL" ? "POST" : verb;
    const added = this.collector.add({
      ...at(call.line),
      ...{ name: name || `${method} ${path}`, method, url: address, pathParameters, query, authorization },
      ...this.#toBody(fill(text), headers, isGraphql),
      followRedirects: !settings.has("no-redirect"),
      timeoutMilliseconds: toMilliseconds(settings.get("timeout")),
      assertions: readings.flatMap(({ reading }) => reading.assertions),
      captures: readings.flatMap(({ reading }) => reading.captures),
    });
    if (name) this.#byName.set(name, added);
    this.#ids.push(added.id);
  }

  #toBody(text: string, headers: Pair[], isGraphql: boolean): Pick<CollectedRequest, "body" | "headers"> {
    if (text.trim() === "") return { body: noBody, headers };
    if (isGraphql) {
      const [query = "", ...rest] = text.split(/\n\s*\n(?=\s*\{)/);
      const remaining = withoutType(headers).filter((row) => !/^x-request-type$/i.test(row.name));
      return { body: toGraphql(query.trim(), rest.join("\n\n")), headers: remaining };
    }
    const type = headers.find((row) => /^content-type$/i.test(row.name))?.value ?? "";
    if (/^application\/x-www-form-urlencoded/i.test(type))
      return { body: { kind: "form", fields: parsePairs(text.replace(/\n/g, "")) }, headers: withoutType(headers) };
    return toTextBody(text, headers);
  }

  #fill(text: string, unknown: (what: string) => void): string {
    const referred = text.replace(
      /\{\{\s*([\w-]+)\.(?:response)\.(body|headers)\.?([^}]*)\}\}/g,
      (_, request: string, part: string, rest: string) => {
        const path = rest.trim();
        const variable = toVariableName(`${request}_${path.replace(/^\$\.?/, "") || part}`);
        const source =
          part === "headers"
            ? "header"
            : path === "" || path === "*"
              ? "body"
              : path.startsWith("/")
                ? "xPath"
                : "jsonPath";
        const property =
          source === "body" ? undefined : source === "jsonPath" && !path.startsWith("$") ? `$.${path}` : path;
        this.#references.push({ request, source, property, variable });
        return `{{${variable}}}`;
      },
    );
    const named = referred.replace(/\{\{\s*\$(?:dotenv|processEnv|env\.)\s*%?([\w-]+)[^}]*\}\}/g, "{{$1}}");
    return toPlaceholders(named.replace(/\{\{\s*%([\w-]+)\s*\}\}/g, "{{$1}}"), (name) => unknown(`{{${name}}}`));
  }
}

function toMilliseconds(text: string | undefined): number | undefined {
  const [, number, unit] = /^(\d+)\s*(ms|s|m)?$/.exec(text ?? "") ?? [];
  return number === undefined
    ? undefined
    : Number(number) * { ms: 1, s: 1_000, m: 60_000 }[(unit ?? "s") as "ms" | "s" | "m"];
}

/** A path alone is of the host in the headers. */
function withHost(url: string, rows: readonly Pair[]): string {
  const host = rows.find((row) => /^host$/i.test(row.name))?.value;
  return url.startsWith("/") && host ? `http://${host}${url}` : url;
}

/** `Basic user password` and `Digest user password`, which the extension encodes itself. */
function takeAuthorization(headers: Pair[]): { authorization: CollectedAuthorization; headers: Pair[] } {
  for (const header of headers) {
    const [, scheme = "", user, secret] = /^(basic|digest)\s+(\S+?)(?:\s+|:)(\S.*)$/i.exec(header.value) ?? [];
    if (!/^authorization$/i.test(header.name) || user === undefined) continue;
    const kind = scheme.toLowerCase() as "basic" | "digest";
    return { authorization: { kind, user, secret: secret! }, headers: headers.filter((one) => one !== header) };
  }
  return { authorization: { kind: "inherit" }, headers };
}

type Lose = (line: number, what: string, reason: string) => void;

/** Reads the lines of one request: comments, request line, headers, body, handlers. */
class BlockReader {
  #at = 0;

  constructor(readonly lines: readonly string[]) {}

  readHead() {
    const settings = new Map<string, string>();
    const variables: { name: string; value: string }[] = [];
    let pre: number | undefined;
    for (; this.#at < this.lines.length; this.#at += 1) {
      const line = this.lines[this.#at]!.trim();
      const [, setting, given = ""] = /^(?:#|\/\/)\s*@([\w-]+)\s*=?\s*(.*)$/.exec(line) ?? [];
      const [, variable, value = ""] = /^@([\w.-]+)\s*=\s*(.*)$/.exec(line) ?? [];
      if (setting !== undefined) settings.set(setting, given.trim());
      else if (variable !== undefined) variables.push({ name: variable, value: value.trim() });
      else if (/^<\s*(\{%|\S+\.js)/.test(line)) {
        pre ??= this.#at;
        if (line.includes("{%")) this.#skipTo("%}");
      } else if (line.startsWith("<")) continue;
      else if (line !== "" && !line.startsWith("#") && !line.startsWith("//"))
        return { settings, variables, pre, call: this.#readCall() };
    }
    return { settings, variables, pre, call: undefined };
  }

  /** The request line, with the lines of its query. */
  #readCall(): { line: number; text: string } {
    const line = this.#at;
    const version = /\s+HTTP\/[\d.]+$/;
    let text = this.lines[this.#at]!.trim().replace(version, "");
    while (/^\s+\S/.test(this.lines[this.#at + 1] ?? "") || /^\s*[?&]\S/.test(this.lines[this.#at + 1] ?? "")) {
      this.#at += 1;
      text += this.lines[this.#at]!.trim().replace(version, "");
    }
    this.#at += 1;
    return { line, text };
  }

  readRest(lose: Lose) {
    const headers: Pair[] = [];
    for (; this.#at < this.lines.length && this.lines[this.#at]!.trim() !== ""; this.#at += 1) {
      const line = this.lines[this.#at]!;
      if (/^\s*(#|\/\/)/.test(line)) continue;
      if (/^(>|<)\s/.test(line)) break;
      const colon = line.indexOf(":");
      if (colon > 0) headers.push(toPair(line.slice(0, colon).trim(), line.slice(colon + 1).trim()));
      else lose(this.#at, line.trim().slice(0, 100), "It is no header.");
    }
    const scripts: { line: number; code: string }[] = [];
    const body: string[] = [];
    let file: number | undefined;
    for (; this.#at < this.lines.length; this.#at += 1) {
      const line = this.lines[this.#at]!;
      if (/^>\s*\{%/.test(line)) {
        const from = this.#at;
        scripts.push({ line: from, code: this.#readScript() });
      } else if (/^>>?!?\s*\S/.test(line) && body.every((one) => !one.trim().startsWith("<")))
        lose(this.#at, line.trim().slice(0, 100), "Scripts and files beside it are not read.");
      else if (/^<>\s/.test(line)) continue;
      else if (/^<@?\w*\s+\S/.test(line) && !/^<\w+[\s>]/.test(line)) file ??= this.#at;
      else body.push(line);
    }
    return { headers, body: body.join("\n").trim(), file, scripts };
  }

  #readScript(): string {
    const first = this.lines[this.#at]!.replace(/^>\s*\{%/, "");
    if (first.includes("%}")) return first.slice(0, first.indexOf("%}"));
    const code = [first];
    for (this.#at += 1; this.#at < this.lines.length; this.#at += 1) {
      const line = this.lines[this.#at]!;
      const end = line.indexOf("%}");
      if (end >= 0) return [...code, line.slice(0, end)].join("\n");
      code.push(line);
    }
    return code.join("\n");
  }

  #skipTo(end: string): void {
    while (this.#at < this.lines.length - 1 && !this.lines[this.#at]!.includes(end)) this.#at += 1;
  }
}
