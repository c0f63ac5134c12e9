import { shorten } from "../../text/shorten.ts";
import type { CollectedRequest, Pair } from "../collection.ts";
import { beginsBody, type HurlBody, readHurlBody, responseLine, toHurlRequestBody } from "./hurl-bodies.ts";
import { fillHurl, toHurlAssertion, toHurlCapture, toPlainText } from "./hurl-parts.ts";
import { isHurlVariables, readHurlVariables } from "./hurl-variables.ts";
import { toVariableName } from "./placeholders.ts";
import { Collector, type Reading, type SourceFile, toPair, UnreadableFile } from "./reading.ts";
import { reasons } from "./reasons.ts";
import { splitQuery, toPathParameters } from "./url.ts";

const requestLine = /^([A-Z][A-Z-]*)\s+(\S.*)$/;
const sectionLine = /^\[(\w+)\]\s*(?:#.*)?$/;

/** Reads files of Hurl. Each is a sequence, which Hurl ends at the first failure; files of variables are environments. */
export function readHurl(given: readonly SourceFile[]): Reading {
  const files = given.filter(({ name }) => !isHurlVariables(name));
  const first = files[0]?.name
    .split("/")
    .at(-1)
    ?.replace(/\.hurl$/i, "");
  const collector = new Collector((files.length === 1 && first) || "Hurl");
  for (const file of files) {
    const requests = new HurlReader(file, collector).read();
    const name = file.name.replace(/\.hurl$/i, "");
    collector.addSequence({ file: file.name, line: 1, name, requests, stopOnFailure: true });
  }
  for (const file of given) if (isHurlVariables(file.name)) readHurlVariables(file, collector);
  return collector.finish();
}

/** What an entry of the file gathers while its lines are read. */
interface Entry {
  request: Pick<
    CollectedRequest,
    "method" | "url" | "query" | "headers" | "cookies" | "assertions" | "captures" | "authorization"
  > & { line: number };
  form: Pair[] | undefined;
  multipart: Pair[] | undefined;
  body: HurlBody | undefined;
  follows: boolean;
  retries: number | undefined;
  enabled: boolean;
  timeout: number | undefined;
  comment: string;
}

const maxName = 200;

class HurlReader {
  readonly #lines: string[];
  readonly #ids: string[] = [];
  #at = 0;
  #entry: Entry | undefined;
  #isResponse = false;
  #comment = "";

  constructor(
    readonly source: SourceFile,
    readonly collector: Collector,
  ) {
    this.#lines = source.text.split("\n");
  }

  read(): string[] {
    let section = "";
    for (; this.#at < this.#lines.length; this.#at += 1) {
      const line = this.#lines[this.#at]!.trim();
      if (line === "" || line.startsWith("#")) {
        if (line.startsWith("#")) this.#comment = line.replace(/^#+\s*/, "");
        continue;
      }
      const request = requestLine.exec(line);
      const response = responseLine.exec(line);
      const named = sectionLine.exec(line);
      if (response) section = this.#beginResponse(response[1]!);
      else if (named) section = named[1]!;
      else if (request && (this.#entry === undefined || !beginsBody(line)))
        section = this.#begin(request[1]!, request[2]!);
      else if (!this.#entry)
        throw new UnreadableFile(
          this.source.name,
          this.#at + 1,
          `Expected a request such as “GET https://example.com”, found “${line.slice(0, 40)}”.`,
        );
      else if (section === "" && this.#readHeader(line)) continue;
      else if (section === "" || beginsBody(line)) this.#readBody();
      else this.#readRow(section, line);
    }
    this.#finish();
    return this.#ids;
  }

  #lose(what: string, reason: string, line = this.#at + 1): void {
    this.collector.lose({ file: this.source.name, line }, this.#describe(), shorten(what, 200), reason);
  }

  #describe(): string {
    const { request, comment } = this.#entry ?? {};
    return request ? comment || `${request.method} ${request.url}` : this.source.name;
  }

  readonly #fill = (text: string) => fillHurl(text, (name) => this.#lose(`{{${name}}}`, reasons.noGenerated));

  #begin(method: string, rest: string): string {
    this.#finish();
    const { url, query } = splitQuery(this.#fill(rest.replace(/\s+#.*$/, "").trim()));
    const request = {
      method,
      url,
      query,
      headers: [],
      cookies: [],
      assertions: [],
      captures: [],
      authorization: { kind: "inherit" as const },
      line: this.#at + 1,
    };
    const rows = { form: undefined, multipart: undefined, body: undefined };
    this.#entry = {
      request,
      ...rows,
      follows: false,
      retries: undefined,
      enabled: true,
      timeout: undefined,
      comment: this.#comment,
    };
    this.#comment = "";
    this.#isResponse = false;
    return "";
  }

  #beginResponse(status: string): string {
    this.#isResponse = true;
    if (status !== "*")
      this.#entry?.request.assertions.push({
        source: "statusCode",
        property: undefined,
        comparison: "equals",
        target: Number(status),
      });
    return "";
  }

  #readHeader(line: string): boolean {
    const [, name, value] = /^([\w!#$%&'*+.^`|~-]+|"[^"]*")\s*:\s*(.*)$/.exec(line) ?? [];
    if (name === undefined || beginsBody(line)) return false;
    const { request } = this.#entry!;
    const filled = this.#fill(toPlainText(value!.replace(/\s+#.*$/, "")));
    if (this.#isResponse)
      request.assertions.push({ source: "header", property: name, comparison: "equals", target: filled });
    else request.headers.push(toPair(name, filled));
    return true;
  }

  #readBody(): void {
    const start = this.#at;
    const { body, last } = readHurlBody(this.#lines, start);
    this.#at = last;
    if (!body)
      this.#lose(
        "body of bytes",
        "Bytes and files are not carried over. Choose the file in the test's editor.",
        start + 1,
      );
    else if (!this.#isResponse) this.#entry!.body = { ...body, text: this.#fill(body.text) };
    else this.#expectBody(body.text, body.type, start + 1);
  }

  #expectBody(text: string, type: string, line: number): void {
    const { assertions } = this.#entry!.request;
    if (type !== "application/json") {
      assertions.push({ source: "body", property: undefined, comparison: "equals", target: this.#fill(text) });
      return;
    }
    try {
      assertions.push({ source: "jsonPath", property: "$", comparison: "equals", target: JSON.parse(text) });
    } catch {
      this.#lose(
        "expected body",
        "It is JSON only once its variables have values. Add assertions in the test's editor.",
        line,
      );
    }
  }

  #readRow(section: string, line: string): void {
    const { request } = this.#entry!;
    const [, name = "", value = ""] = /^("[^"]*"|[^:]+?)\s*:\s*(.*?)(?:\s+#.*)?$/.exec(line) ?? [];
    const row = () => toPair(this.#fill(name.replace(/^"|"$/g, "")), this.#fill(toPlainText(value)));
    const entry = this.#entry!;
    switch (section) {
      case "Query":
      case "QueryStringParams":
        request.query.push(row());
        return;
      case "Form":
      case "FormParams":
        entry.form = [...(entry.form ?? []), row()];
        return;
      case "Multipart":
      case "MultipartFormData":
        if (/^file,/.test(value)) this.#lose(`file ${name}`, reasons.noFile);
        else entry.multipart = [...(entry.multipart ?? []), row()];
        return;
      case "Cookies":
        request.cookies.push(row());
        return;
      case "BasicAuth":
        request.authorization = { kind: "basic", user: this.#fill(name), secret: this.#fill(value) };
        return;
      case "Options":
        this.#readOption(name, value);
        return;
      case "Captures": {
        const capture = toHurlCapture(name, value);
        if (capture) request.captures.push(capture);
        else this.#lose(`capture ${line}`, reasons.noCapture);
        return;
      }
      case "Asserts": {
        const assertion = toHurlAssertion(line);
        if (assertion) request.assertions.push(assertion);
        else this.#lose(`assertion ${line}`, reasons.noAssertion);
        return;
      }
      default:
        this.#lose(`[${section}] ${line}`, "No such section in a test.");
    }
  }

  #readOption(name: string, value: string): void {
    const entry = this.#entry!;
    const [, variable, given] = /^([\w-]+)\s*=\s*(.*)$/.exec(value) ?? [];
    if (name === "location" || name === "location-trusted") entry.follows = value === "true";
    else if (name === "retry" && /^-?\d+$/.test(value)) entry.retries = Number(value) < 0 ? 9 : Number(value);
    else if (name === "skip") entry.enabled = value !== "true";
    else if (name === "max-time" && /^\d+s?$/.test(value)) entry.timeout = Number.parseInt(value, 10) * 1_000;
    else if (name === "user" && value.includes(":"))
      entry.request.authorization = {
        kind: "basic",
        user: value.slice(0, value.indexOf(":")),
        secret: value.slice(value.indexOf(":") + 1),
      };
    else if (name === "variable" && variable !== undefined)
      this.collector.collection.variables.push({
        name: toVariableName(variable),
        value: this.#fill(given!.replace(/^"|"$/g, "")),
        secret: false,
      });
    else this.#lose(`option ${name}: ${value}`, "A test has no such option.");
  }

  #finish(): void {
    const entry = this.#entry;
    if (!entry) return;
    const { request, comment } = entry;
    const { url, pathParameters } = toPathParameters(request.url);
    const path = url.replace(/^(\{\{[^}]*\}\}|https?:\/\/[^/]+)/i, "") || "/";
    const { body, headers } = toHurlRequestBody(entry, request.headers);
    const name = shorten(comment, maxName);
    if (name !== comment) this.#lose(comment, `As a name it is shortened to ${maxName} characters.`);
    const added = this.collector.add({
      ...{ ...request, file: this.source.name, name: name || `${request.method} ${path}` },
      ...{
        url,
        pathParameters,
        body,
        headers,
        enabled: entry.enabled,
        followRedirects: entry.follows,
        retries: entry.retries,
      },
      timeoutMilliseconds: entry.timeout,
    });
    this.#ids.push(added.id);
    this.#entry = undefined;
  }
}
