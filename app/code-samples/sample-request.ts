import type { SecurityScheme } from "../../services/api-registry/contract/documents.ts";
import type {
  DescribedOperation,
  MediaTypeContent,
  OperationParameter,
} from "../../services/api-registry/contract/operations.ts";
import { type Pair, serializeParameter } from "./serialize-parameter.ts";

export type SampleBody =
  | { kind: "json"; mediaType: string; value: unknown }
  | { kind: "form" | "multipart"; fields: SampleField[] }
  | { kind: "text"; mediaType: string; text: string };

export interface SampleField extends Pair {
  /** The value is the content of a file. */
  file: boolean;
}

/** One request that fits its operation, before it is written in any language. */
export interface SampleRequest {
  method: string;
  url: string;
  headers: Pair[];
  body?: SampleBody;
  /** Basic authentication, which languages have words of their own for. */
  basic?: { username: string; password: string };
}

export interface SampleRequestOptions {
  /** As in `https://api.example.com/v1`; where it is unknown the sample says so. */
  baseUrl: string | null;
  securitySchemes: readonly SecurityScheme[];
}

export const unknownBaseUrl = "https://api.example.com";

/** A valid request: every required parameter, optional ones only where the document gives an example. */
export function sampleRequest(operation: DescribedOperation, options: SampleRequestOptions): SampleRequest {
  const { method, path, parameters, security, requestBody } = operation;
  const used = parameters.filter(isUsed);
  const of = (place: OperationParameter["in"]) =>
    used
      .filter((parameter) => parameter.in === place)
      .flatMap((parameter) => serializeParameter(parameter, sampleOf(parameter)));

  const headers = of("header");
  const query = of("query");
  const cookies = of("cookie");
  const request: SampleRequest = { method: method.toUpperCase(), url: "", headers };
  for (const { schemeName } of security[0] ?? []) {
    const scheme = options.securitySchemes.find(({ name }) => name === schemeName);
    if (scheme) authorize(request, scheme, query, cookies);
  }
  const content = requestBody && preferredContent(requestBody.content);
  if (content) request.body = sampleBody(content);
  if (request.body && "mediaType" in request.body) {
    headers.push({ name: "Content-Type", value: request.body.mediaType });
  }
  if (cookies.length > 0) {
    headers.push({ name: "Cookie", value: cookies.map(({ name, value }) => `${name}=${value}`).join("; ") });
  }
  const base = (options.baseUrl ?? unknownBaseUrl).replace(/\/$/, "");
  request.url = base + fillPath(path, of("path")) + search(query, of("querystring"));
  return request;
}

function isUsed({ required, sample, examples, in: place }: OperationParameter): boolean {
  return required || place === "path" || (examples.length > 0 && sample !== undefined);
}

/** What stands for a value nobody knows: its name in capitals is seen to be a placeholder. */
function sampleOf({ sample, name }: OperationParameter): unknown {
  return sample === undefined ? placeholder(name) : sample;
}

export function placeholder(name: string): string {
  return `YOUR_${name
    .replace(/([a-z])([A-Z])/g, "$1_$2")
    .replace(/\W+/g, "_")
    .toUpperCase()}`;
}

function authorize(request: SampleRequest, scheme: SecurityScheme, query: Pair[], cookies: Pair[]): void {
  if (scheme.type === "apiKey") {
    const pair = { name: scheme.parameterName ?? scheme.name, value: placeholder("api key") };
    ({ header: request.headers, query, cookie: cookies })[scheme.in ?? "header"].push(pair);
  } else if (scheme.type === "http" && scheme.scheme === "basic") {
    request.basic = { username: placeholder("user name"), password: placeholder("password") };
  } else if (scheme.type !== "mutualTLS" && scheme.scheme !== "digest") {
    request.headers.push({ name: "Authorization", value: `Bearer ${placeholder("token")}` });
  }
}

const isJson = (mediaType: string) => /[/+]json\b/i.test(mediaType);
const isForm = (mediaType: string) => /^application\/x-www-form-urlencoded\b/i.test(mediaType);
const isMultipart = (mediaType: string) => /^multipart\//i.test(mediaType);

/** The media type that is easiest to send: JSON, a form, then whatever comes first. */
export function preferredContent(content: readonly MediaTypeContent[]): MediaTypeContent | undefined {
  return (
    content.find(({ mediaType }) => isJson(mediaType)) ??
    content.find(({ mediaType }) => isForm(mediaType)) ??
    content.find(({ mediaType }) => isMultipart(mediaType)) ??
    content[0]
  );
}

export function sampleBody({ mediaType, sample, schema }: MediaTypeContent): SampleBody {
  if (isJson(mediaType)) return { kind: "json", mediaType, value: sample === undefined ? {} : sample };
  if (isForm(mediaType) || isMultipart(mediaType)) {
    return { kind: isForm(mediaType) ? "form" : "multipart", fields: fieldsOf(sample, schema) };
  }
  return { kind: "text", mediaType, text: typeof sample === "string" ? sample : "" };
}

function fieldsOf(sample: unknown, schema: MediaTypeContent["schema"]): SampleField[] {
  if (typeof sample !== "object" || sample === null) return [];
  const properties = (typeof schema === "object" && schema.properties) as Record<string, unknown> | false | undefined;
  return Object.entries(sample).flatMap(([name, value]) => {
    const property = properties && Object.hasOwn(properties, name) ? properties[name] : undefined;
    const one = (item: unknown): SampleField => ({
      name,
      value: typeof item === "object" && item !== null ? JSON.stringify(item) : String(item),
      file: isFile(property),
    });
    return Array.isArray(value) ? value.map(one) : [one(value)];
  });
}

function isFile(schema: unknown): boolean {
  if (typeof schema !== "object" || schema === null) return false;
  const { type, format, contentMediaType, items } = schema as Record<string, unknown>;
  if (type === "array") return isFile(items);
  return format === "binary" || type === "file" || (typeof contentMediaType === "string" && !isJson(contentMediaType));
}

function fillPath(path: string, pairs: readonly Pair[]): string {
  const values = new Map(pairs.map(({ name, value }) => [name, value]));
  // Characters that styles put between values stay as they are; a slash within a value must not make a new segment.
  const encode = (value: string) => encodeURIComponent(value).replace(/%(2C|3B|3D)/g, decodeURIComponent);
  return path.replace(/\{([^{}]+)\}/g, (whole, name: string) => {
    const value = values.get(name.replace(/\*$/, ""));
    return value === undefined ? whole : encode(value);
  });
}

function search(query: readonly Pair[], whole: readonly Pair[]): string {
  const encode = (value: string) => encodeURIComponent(value).replace(/%(2C|3A|40|2F)/g, decodeURIComponent);
  const parts = query.map(
    ({ name, value }) => `${encodeURIComponent(name).replace(/%5[BD]/g, decodeURIComponent)}=${encode(value)}`,
  );
  const raw = whole.map(({ value }) => value);
  return parts.length + raw.length === 0 ? "" : `?${[...parts, ...raw].join("&")}`;
}
