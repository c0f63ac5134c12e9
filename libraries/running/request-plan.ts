import type { OperationWithComponents } from "#contracts/api-registry/operations.ts";
import type { StoredFile } from "#contracts/test-registry/files.ts";
import type { Pair, TestRequest } from "#contracts/test-registry/requests.ts";
import { chooseBaseUrl } from "../openapi/base-url.ts";
import { defaultStyles, type Style } from "../openapi/parameter.ts";
import {
  writeCookieParameter,
  writeHeaderParameter,
  writePathParameter,
  writeQueryParameter,
} from "../openapi/parameter-style.ts";
import { readParameterText } from "../openapi/parameter-value.ts";
import { encodePath, encodeQuery, joinQuery } from "../openapi/percent-encoding.ts";
import { type ReadFile, writeBody } from "./request-body.ts";
import { missingVariable, Unsendable } from "./unsendable.ts";
import type { TemplateRenderer } from "./variables.ts";

/** A request before its credentials, which add to headers, query and cookies. */
export interface RequestPlan {
  method: string;
  /** Without query and fragment. */
  address: string;
  /** Host name, with the port unless it is the scheme's default; credentials are bound to it. */
  host: string;
  origin: string;
  /** The base URL is the document's server for this operation. */
  isOwnServer: boolean;
  /** `name=value`, percent-encoded. */
  query: string[];
  headers: [name: string, value: string][];
  /** `name=value`, encoded. */
  cookies: string[];
  /** As text, with a line about each file instead of its bytes. */
  body: string | undefined;
  /** What is sent instead of `body` if there are files. */
  bytes?: Uint8Array;
  files?: StoredFile[];
}

export interface PlanInput {
  method: string;
  /** The path template, e.g. `/pets/{petId}`. */
  path: string;
  request: TestRequest;
  /** Where the API runs, in order of precedence; the first one given wins. The request's own precedes them. */
  baseUrls: (string | null | undefined)[];
  /** If known, defines the serialization and types of parameters, and the servers (see `chooseBaseUrl`). */
  operation?: OperationWithComponents;
  templates: TemplateRenderer;
  boundary: string;
  readFile: ReadFile;
  userAgent: string;
}

/** @throws Unsendable when something is missing or can't be sent; nothing has been sent by then */
export function planRequest(input: PlanInput): RequestPlan {
  try {
    return writeRequest(input);
  } catch (error) {
    // A missing value may be the reason why something can't be serialized.
    if (error instanceof Unsendable) requireValues(input.templates);
    throw error;
  }
}

function writeRequest(input: PlanInput): RequestPlan {
  const { request, templates } = input;
  const { base, isOwnServer } = parseBase(input);
  // Some documents distinguish operations by a query or fragment in the path; a fragment is never sent.
  const [template = "", ...writtenQuery] = input.path.replace(/#.*$/, "").split("?");
  const path = fillPath(template, input);
  const query = sent(request.query, templates).flatMap((pair) => {
    const { value, style, isWholeQuery } = readParameter(input, "query", pair);
    if (isWholeQuery) return [value.shape === "primitive" ? encodeQuery(value.text) : ""];
    return writeQueryParameter(templates.renderSent(pair.name), value, style);
  });
  const headers = sent(request.headers, templates).map((pair): [string, string] => {
    requireHeaderText(pair.value, `the header ${pair.name}`, templates);
    const { value, style } = readParameter(input, "header", pair);
    return [templates.renderSent(pair.name).trim(), writeHeaderParameter(value, style)];
  });
  const cookies = sent(request.cookies, templates).flatMap((pair) => {
    const why = `can't be sent in the cookie ${pair.name}: it has a line break or another control character`;
    templates.requireFit(pair.value, (text) => !controlCharacter.test(text), why);
    const { value, style } = readParameter(input, "cookie", pair);
    return writeCookieParameter(templates.renderSent(pair.name), value, style).map(requireCookie);
  });
  const body = writeBody(request.body, templates, input.boundary, input.readFile);
  requireValues(templates);
  if (body) {
    if (controlCharacter.test(body.contentType)) {
      throw new Unsendable("invalid_header", "The media type of the body has a line break in it.");
    }
    setContentType(headers, body.contentType);
  }
  addDefault(headers, "accept", "*/*");
  addDefault(headers, "accept-encoding", "gzip, deflate, br");
  addDefault(headers, "user-agent", input.userAgent);
  return {
    method: input.method.toUpperCase(),
    address: base.href.replace(/[?#].*$/, "").replace(/\/+$/, "") + path,
    host: base.host,
    origin: base.origin,
    isOwnServer,
    query: [...(base.search.length > 1 ? [base.search.slice(1)] : []), ...writtenQuery.filter(Boolean), ...query],
    headers,
    cookies,
    body: body?.text,
    ...(body?.files ? { bytes: body.bytes, files: body.files } : {}),
  };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const controlCharacter = /[\0-\x1f\x7f]/;

/** Servers ignore white space around a header's value, so it would not arrive. */
function requireHeaderText(template: string, where: string, templates: TemplateRenderer): void {
  const unsendable = /[^\t\x20-\x7e\x80-\xff]/;
  const why = `can't be sent in ${where}: it has a line break or another character that a header can't have`;
  templates.requireFit(template, (text) => !unsendable.test(text), why);
  const rendered = templates.renderSent(template);
  if (rendered === rendered.trim()) return;
  const outer = `can't be sent in ${where}: it begins or ends with white space, which would not arrive`;
  templates.requireFit(template, (text) => text === text.trim(), outer);
}

function requireValues({ missing }: TemplateRenderer): void {
  if (missing.size === 0) return;
  const names = [...missing].map((name) => `{{${name}}}`).join(", ");
  throw new Unsendable(
    missingVariable,
    `${names} has no value. Set it in the environment, the run or the test's rows.`,
  );
}

function enabled(pairs: Pair[]): Pair[] {
  return pairs.filter((pair) => pair.enabled);
}

function sent(pairs: Pair[], templates: TemplateRenderer): Pair[] {
  return enabled(pairs).filter(({ value }) => !templates.isNotSent(value));
}

function parseBase({ request, baseUrls, operation, templates }: PlanInput): { base: URL; isOwnServer: boolean } {
  const render = (url: string | null | undefined) => templates.renderSent(url ?? "").trim();
  const given = request.baseUrl?.trim();
  const { url: chosen, ownServer } = given
    ? { url: render(given), ownServer: undefined }
    : chooseBaseUrl(render(baseUrls.find((url) => url?.trim())), operation);
  const text = chosen ?? "";
  if (text === "") {
    throw new Unsendable(
      "no_base_url",
      "It is not known where the API runs. Enter a base URL, or choose an environment.",
    );
  }
  // The URL standard's parser would drop control characters silently.
  const url = URL.canParse(text) && !/[\0-\x20\x7f]/.test(text) ? new URL(text) : undefined;
  if (templates.missing.size === 0 && (!url || !/^https?:$/.test(url.protocol))) {
    throw new Unsendable("invalid_url", "The base URL can't be used. It has to look like https://api.example.com/v1.");
  }
  return { base: url ?? new URL("http://unresolved.invalid"), isOwnServer: ownServer !== undefined };
}

function readParameter(input: PlanInput, place: "path" | "query" | "header" | "cookie", pair: Pair) {
  const { operation, templates } = input;
  const sameName = (name: string) =>
    place === "header" ? name.toLowerCase() === pair.name.toLowerCase() : name === pair.name;
  const parameter = operation?.operation.parameters.find(
    (one) => (one.in === place || (place === "query" && one.in === "querystring")) && sameName(one.name),
  );
  const value = readParameterText(templates.renderSent(pair.value), parameter, operation?.components ?? {});
  const style: Style = parameter ?? defaultStyles[place];
  return { value, style, isWholeQuery: parameter?.in === "querystring" };
}

function fillPath(template: string, input: PlanInput): string {
  const pairs = new Map(enabled(input.request.pathParameters).map((pair) => [pair.name, pair]));
  const path = template.replace(/\{([^{}]+)\}/g, (_, name: string) => {
    const pair = pairs.get(name);
    if (!pair) throw new Unsendable("path_parameter_missing", `The path parameter {${name}} has no value.`);
    const isDots = (text: string) => text === "." || text === "..";
    if (isDots(input.templates.renderSent(pair.value))) {
      const why = `can't be sent as the path parameter ${name}: "." and ".." lead to another path`;
      input.templates.requireFit(pair.value, (text) => !/^\.{0,2}$/.test(text), why);
    }
    const { value, style } = readParameter(input, "path", pair);
    return writePathParameter(name, value, style);
  });
  const encoded = encodePath(path);
  // The URL standard resolves these, also when percent-encoded: the request would reach another operation.
  if (encoded.split("/").some((segment) => /^(\.|%2e){1,2}$/i.test(segment))) {
    throw new Unsendable("invalid_path", 'A path parameter is "." or "..", which would lead to another path.');
  }
  return encoded;
}

/** @param pair as in `name=value` */
function requireCookie(pair: string): string {
  const name = pair.slice(0, pair.indexOf("="));
  if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(name)) {
    throw new Unsendable("invalid_header", "A cookie's name has characters that a cookie can't have.");
  }
  if (controlCharacter.test(pair)) {
    throw new Unsendable("invalid_header", `The cookie ${name} has a line break or another control character in it.`);
  }
  return pair;
}

function setContentType(headers: [string, string][], contentType: string): void {
  const given = headers.find(([name]) => name.toLowerCase() === "content-type");
  if (!given) headers.push(["content-type", contentType]);
  else if (/^multipart\//i.test(given[1]) && !/boundary=/i.test(given[1]) && contentType.startsWith("multipart/")) {
    given[1] += contentType.slice(contentType.lastIndexOf("; boundary="));
  }
}

export function addDefault(headers: [string, string][], name: string, value: string): void {
  if (!headers.some(([given]) => given.toLowerCase() === name)) headers.push([name, value]);
}

/** The complete URL, and the headers including the cookies. */
export function finishPlan(plan: RequestPlan): { url: string; headers: [string, string][] } {
  const url = plan.query.length > 0 ? `${plan.address}?${joinQuery(plan.query)}` : plan.address;
  if (plan.cookies.length === 0) return { url, headers: plan.headers };
  const given = plan.headers.filter(([name]) => name.toLowerCase() === "cookie").map(([, value]) => value);
  const others = plan.headers.filter(([name]) => name.toLowerCase() !== "cookie");
  return { url, headers: [...others, ["cookie", [...given, ...plan.cookies].join("; ")]] };
}
