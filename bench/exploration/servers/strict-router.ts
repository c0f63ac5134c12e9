import type { IncomingMessage, ServerResponse } from "node:http";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { Operation, Parameter, Schema, ServerDocument } from "./document.ts";

export type Values = Record<string, unknown>;

/** A request that the document allows. */
export interface Call {
  path: Values;
  query: Values;
  headers: IncomingMessage["headers"];
  body: Values;
}

export interface Answer {
  status: number;
  body?: unknown;
  /** A body that is not JSON. */
  text?: { type: string; text: string };
  headers?: Record<string, string>;
}

export type Handlers = Record<string, (call: Call) => Answer>;

export const refuse = (status: number, error: string, headers?: Record<string, string>): Answer => ({
  status,
  body: { error },
  ...(headers && { headers }),
});

export interface ServedApi {
  document: ServerDocument;
  /** The key that it accepts, where its document asks for one in a header; the header in lower case. */
  apiKey?: { header: string; key: string };
}

interface Route {
  operation: Operation;
  parameters: { parameter: Parameter; isValid: ValidateFunction }[];
  isValidBody: ValidateFunction | undefined;
}

const megabyte = 1_000_000;

/** Answers as the document says: everything that it doesn't allow is refused before a handler sees it. */
export function answerWith(described: ServedApi, handlers: Handlers, judgesBy: Values) {
  // Schemas that several places share are copied for each: a structured clone would keep them shared.
  const judged = JSON.parse(JSON.stringify(described.document)) as ServerDocument;
  for (const [pointer, value] of Object.entries(judgesBy)) setAt(judged, pointer, value);
  const routes = compile(judged);

  async function respond(request: IncomingMessage): Promise<Answer> {
    const [rawPath, rawQuery = ""] = request.url!.split("?", 2) as [string, string?];
    const found = routes.find(({ pattern }) => pattern.test(rawPath));
    if (!found) return refuse(404, "No such path.");
    const method = request.method === "HEAD" ? "get" : request.method!.toLowerCase();
    const route = found.methods.get(method);
    if (!route) return refuse(405, "No such method here.", { Allow: found.allow });
    const { operation } = route;
    const { apiKey } = described;
    const isOpen = operation.security?.length === 0;
    if (apiKey && !isOpen && request.headers[apiKey.header] !== apiKey.key)
      return refuse(401, "The key is missing or wrong.", { "WWW-Authenticate": "ApiKey" });
    if (!acceptsJson(request.headers.accept)) return refuse(406, "Only JSON is given.");

    const path: Values = {};
    const query: Values = {};
    const pathTexts = found.pattern.exec(rawPath)!.groups ?? {};
    const queryTexts = new URLSearchParams(rawQuery);
    for (const { parameter, isValid } of route.parameters) {
      const { name, schema } = parameter;
      const texts =
        parameter.in === "path"
          ? [decode(pathTexts[name]!)]
          : parameter.in === "query"
            ? queryTexts.getAll(name)
            : [request.headers[name.toLowerCase()]].flat();
      const [text] = texts;
      if (text === undefined && parameter.in !== "path") {
        if (parameter.required) return refuse(400, `${name} is missing.`);
        if (parameter.in === "query" && schema.default !== undefined) query[name] = schema.default;
        continue;
      }
      const value = text === undefined ? undefined : read(text, schema);
      if (texts.length > 1 || value === undefined || !isValid(value))
        return refuse(400, `${name} is not as documented.`);
      if (parameter.in === "path") path[name] = value;
      if (parameter.in === "query") query[name] = value;
    }

    let body: Values = {};
    if (route.isValidBody) {
      const text = await readText(request);
      if (text === undefined) return refuse(413, "The body is too large.");
      if (!/^application\/json(; *charset="?utf-8"?)?$/i.test(request.headers["content-type"] ?? ""))
        return refuse(415, "Only JSON is taken.");
      try {
        body = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(text));
      } catch {
        return refuse(400, "The body is no JSON.");
      }
      if (!route.isValidBody(body)) return refuse(400, "The body is not as documented.");
    }
    return handlers[operation.operationId]!({ path, query, headers: request.headers, body });
  }

  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    let answer: Answer;
    try {
      answer = await respond(request);
    } catch {
      answer = refuse(500, "Internal server error");
    }
    const { status, headers = {}, text } = answer;
    const content = text?.text ?? (answer.body === undefined ? undefined : JSON.stringify(answer.body));
    const type = text?.type ?? "application/json";
    response.writeHead(status, { ...(content !== undefined && { "Content-Type": type }), ...headers });
    response.end(request.method === "HEAD" ? undefined : content);
  };
}

function compile(document: ServerDocument) {
  const ajv = new Ajv2020({ strict: false, validateSchema: false });
  addFormats.default(ajv);
  const { components } = document;
  const compileSchema = (schema: Schema) => ajv.compile({ ...schema, components });
  return Object.entries(document.paths).map(([path, operations]) => {
    const methods = new Map<string, Route>();
    for (const [method, operation] of Object.entries(operations)) {
      const body = operation.requestBody?.content["application/json"].schema;
      const parameters = operation.parameters ?? [];
      methods.set(method, {
        operation,
        parameters: parameters.map((parameter) => ({ parameter, isValid: compileSchema(parameter.schema) })),
        isValidBody: body && compileSchema(body),
      });
    }
    const names = [...methods.keys()].map((name) => name.toUpperCase());
    return {
      pattern: new RegExp(`^${path.replace(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`),
      methods,
      allow: (names.includes("GET") ? [...names, "HEAD"] : names).join(", "),
    };
  });
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** A parameter's text as its schema's type; undefined where it is none. */
function read(text: string, { type }: Schema): unknown {
  if (type === "integer") return /^-?\d+$/.test(text) ? Number(text) : undefined;
  if (type === "boolean") return text === "true" ? true : text === "false" ? false : undefined;
  return text;
}

function acceptsJson(accept: string | undefined): boolean {
  if (!accept) return true;
  return accept.split(",").some((range) => {
    const [type, ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
    const isRefused = parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
    return !isRefused && ["*/*", "application/*", "application/json"].includes(type!);
  });
}

async function readText(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= megabyte) chunks.push(chunk);
  }
  return size > megabyte ? undefined : Buffer.concat(chunks);
}

function setAt(document: unknown, pointer: string, value: unknown): void {
  const names = pointer
    .split("/")
    .slice(1)
    .map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"));
  const last = names.pop()!;
  const parent = names.reduce((part, name) => (part as Values)[name], document) as Values;
  if (value === undefined) delete parent[last];
  else parent[last] = value;
}
