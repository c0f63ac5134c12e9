import type { SecurityScheme } from "#contracts/api-registry/documents.ts";
import type {
  DescribedOperation,
  OperationParameter,
  OperationWithComponents,
} from "#contracts/api-registry/operations.ts";
import { type Row, toParameterRows } from "#libraries/openapi/parameter-rows.ts";
import { writeHeaderParameter, writePathParameter, writeQueryParameter } from "#libraries/openapi/parameter-style.ts";
import { readParameterText } from "#libraries/openapi/parameter-value.ts";
import { encodeCookiePart, encodePart } from "#libraries/openapi/percent-encoding.ts";
import { preferredContent, type SampleBody, sampleBody } from "#libraries/openapi/sample-body.ts";

/** A request that fits its operation, independent of any language. */
export interface SampleRequest {
  method: string;
  url: string;
  headers: Row[];
  body?: Exclude<SampleBody, { kind: "text" }> | { kind: "text"; mediaType: string; text: string };
  /** Basic authentication, for which languages have their own syntax. */
  basic?: { username: string; password: string };
}

export interface SampleRequestOptions {
  /** For example `https://api.example.com/v1`; a placeholder where it is unknown. */
  baseUrl: string | null;
  securitySchemes: readonly SecurityScheme[];
  /** The components that the parameters' schemas refer to. */
  components?: OperationWithComponents["components"];
  /** Replaces the document's example body; null for no body. */
  body?: SampleRequest["body"] | null;
}

export const unknownBaseUrl = "https://api.example.com";

/** A valid request: every required parameter, optional ones only where the document gives an example. */
export function sampleRequest(operation: DescribedOperation, options: SampleRequestOptions): SampleRequest {
  const { method, path, parameters, security, requestBody } = operation;
  const components = options.components ?? {};
  const used = parameters.filter(isUsed);
  const of = (location: OperationParameter["in"]) =>
    used
      .filter((parameter) => parameter.in === location)
      .flatMap((parameter) =>
        toParameterRows(parameter, getSample(parameter), components).map(({ name, value }) => ({
          parameter,
          name,
          value: readParameterText(value, parameter, components),
          text: value,
        })),
      );

  const headers = of("header").map(({ parameter, name, value }) => ({
    name,
    value: writeHeaderParameter(value, parameter),
  }));
  const query = of("query").flatMap(({ parameter, name, value }) => writeQueryParameter(name, value, parameter));
  query.push(...of("querystring").map(({ text }) => text));
  const cookies = of("cookie").map(
    ({ parameter, name, value }) => `${name}=${encodeCookiePart(writeHeaderParameter(value, parameter))}`,
  );
  const request: SampleRequest = { method: method.toUpperCase(), url: "", headers };
  for (const { schemeName } of security[0] ?? []) {
    const scheme = options.securitySchemes.find(({ name }) => name === schemeName);
    if (scheme) authorize(request, scheme, query, cookies);
  }
  const content = requestBody && preferredContent(requestBody.content);
  if (options.body !== undefined) request.body = options.body ?? undefined;
  else if (content) request.body = completed(sampleBody(content));
  if (request.body?.kind === "json" || request.body?.kind === "text") {
    headers.push({ name: "Content-Type", value: request.body.mediaType });
  }
  if (cookies.length > 0) headers.push({ name: "Cookie", value: cookies.join("; ") });
  const base = (options.baseUrl ?? unknownBaseUrl).replace(/\/$/, "");
  const locations = new Map(
    of("path").map(({ parameter, name, value }) => [name, writePathParameter(name, value, parameter)]),
  );
  const filled = path.replace(
    /\{([^{}]+)\}/g,
    (whole, name: string) => locations.get(name.replace(/\*$/, "")) ?? whole,
  );
  request.url = base + filled + (query.length > 0 ? `?${query.join("&")}` : "");
  return request;
}

function isUsed({ required, sample, examples, in: location }: OperationParameter): boolean {
  return required || location === "path" || (examples.length > 0 && sample !== undefined);
}

/** Placeholder for an unknown value: its name in capitals. */
function getSample({ sample, name }: OperationParameter): unknown {
  return sample === undefined ? placeholder(name) : sample;
}

export function placeholder(name: string): string {
  return `YOUR_${name
    .replace(/([a-z])([A-Z])/g, "$1_$2")
    .replace(/\W+/g, "_")
    .toUpperCase()}`;
}

/** The body gets a placeholder even when no valid value is known. */
function completed(body: SampleBody): SampleRequest["body"] {
  if (body.kind === "json") return { ...body, value: body.value ?? {} };
  return body.kind === "text" ? { ...body, text: body.text ?? placeholder("body") } : body;
}

function authorize(request: SampleRequest, scheme: SecurityScheme, query: string[], cookies: string[]): void {
  if (scheme.type === "apiKey") {
    const name = scheme.parameterName ?? scheme.name;
    const value = placeholder("api key");
    if (scheme.in === "query") query.push(`${encodePart(name)}=${value}`);
    else if (scheme.in === "cookie") cookies.push(`${name}=${value}`);
    else request.headers.push({ name, value });
  } else if (scheme.type === "http" && scheme.scheme === "basic") {
    request.basic = { username: placeholder("user name"), password: placeholder("password") };
  } else if (scheme.type !== "mutualTLS" && scheme.scheme !== "digest") {
    request.headers.push({ name: "Authorization", value: `Bearer ${placeholder("token")}` });
  }
}
