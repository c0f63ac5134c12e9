import type { SecurityScheme } from "#contracts/api-registry/documents.ts";
import type {
  DescribedOperation,
  OperationParameter,
  OperationWithComponents,
} from "#contracts/api-registry/operations.ts";
import type { SampleRequest } from "#libraries/code-samples/sample-request.ts";
import { joinJson } from "#libraries/json/json-texts.ts";
import { isFileBody } from "#libraries/openapi/file-body.ts";
import { isDescribedElsewhere, isFraming } from "#libraries/openapi/header-names.ts";
import { fileMediaType } from "#libraries/openapi/multipart-part.ts";
import { type Row, toParameterRows } from "#libraries/openapi/parameter-rows.ts";
import {
  writeCookieParameter,
  writeHeaderParameter,
  writePathParameter,
  writeQueryParameter,
} from "#libraries/openapi/parameter-style.ts";
import { readParameterText } from "#libraries/openapi/parameter-value.ts";
import { encodePart, encodePath, encodeQuery, joinQuery } from "#libraries/openapi/percent-encoding.ts";
import { placeholderText } from "#libraries/openapi/placeholder-text.ts";
import { preferredContent, type SampleBody, sampleBody } from "#libraries/openapi/sample-body.ts";

export interface SampleRequestOptions {
  /** For example `https://api.example.com/v1`; a placeholder where it is unknown. */
  baseUrl: string | null;
  securitySchemes: readonly SecurityScheme[];
  /** The components that the parameters' schemas refer to. */
  components?: OperationWithComponents["components"];
  /** Defaults of multipart bodies depend on it. */
  specificationVersion?: OperationWithComponents["specificationVersion"];
  /** Replaces the document's example body; null for no body. */
  body?: SampleRequest["body"] | null;
  /** Values were typed, so every header is sent, also one that OpenAPI describes elsewhere. */
  isTyped?: boolean;
}

/** Recognizable as what it is, so that no request goes to a stranger's host. */
const unknownBaseUrl = "https://YOUR_HOST";

/** A valid request: every required parameter, optional ones only where the document gives an example. */
export function sampleRequest(operation: DescribedOperation, options: SampleRequestOptions): SampleRequest {
  const { method, path, parameters, security, requestBody } = operation;
  const components = options.components ?? {};
  const used = parameters.filter(
    (parameter) =>
      isUsed(parameter) &&
      !(
        parameter.in === "header" &&
        (isFraming(parameter.name) || (!options.isTyped && isDescribedElsewhere(parameter.name)))
      ),
  );
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
    value: oneLine(writeHeaderParameter(value, parameter)),
  }));
  const query = of("query").flatMap(({ parameter, name, value }) => writeQueryParameter(name, value, parameter));
  query.push(...of("querystring").map(({ text }) => encodeQuery(text)));
  const cookies = of("cookie").flatMap(({ parameter, name, value }) =>
    writeCookieParameter(name, value, parameter).map((pair) => oneLine(pair.replace(/\t/g, " "))),
  );
  const request: SampleRequest = { method: method.toUpperCase(), url: "", headers };
  for (const { schemeName } of security[0] ?? []) {
    const scheme = options.securitySchemes.find(({ name }) => name === schemeName);
    if (scheme) authorize(request, scheme, query, cookies);
  }
  const framing = parameters.filter(({ name, in: location }) => location === "header" && isFraming(name));
  if (framing.length > 0)
    request.notes = framing.map(({ name }) => `${name} is left out: clients set this header themselves.`);
  const content = requestBody && preferredContent(requestBody.content);
  if (options.body !== undefined) request.body = options.body ?? undefined;
  else if (content && isFileBody(content, options)) {
    const { mediaType } = content;
    request.body = {
      kind: "file",
      mediaType: mediaType.includes("*") ? fileMediaType : mediaType,
      chosenFile: placeholderText("file"),
    };
  } else if (content) request.body = completed(sampleBody(content, options));
  if (request.body && request.body.kind !== "multipart" && !hasHeader(headers, "Content-Type")) {
    headers.push({ name: "Content-Type", value: request.body.mediaType });
  }
  const written = headers.filter(({ name }) => name.toLowerCase() === "cookie").map(({ value }) => value);
  request.headers = headers.filter(({ name }) => name.toLowerCase() !== "cookie");
  const allCookies = [...written, ...cookies].join("; ");
  if (allCookies !== "") request.headers.push({ name: "Cookie", value: allCookies });
  const base = parseBase(options.baseUrl ?? unknownBaseUrl);
  const [template = "", ...queryOfPath] = path.replace(/#.*$/, "").split("?");
  const locations = new Map(
    of("path").map(({ parameter, name, value }) => [name, writePathParameter(name, value, parameter)]),
  );
  const filled = template.replace(
    /\{([^{}]+)\}/g,
    (_, name: string) =>
      locations.get(name) ?? locations.get(name.replace(/\*$/, "")) ?? encodePart(placeholderText(name)),
  );
  const parts = [...base.query, ...queryOfPath.filter(Boolean), ...query];
  request.url = base.address + encodePath(filled) + (parts.length > 0 ? `?${joinQuery(parts)}` : "");
  return request;
}

/** As a test reads it: a query of the base URL is sent with every request. */
function parseBase(text: string): { address: string; query: string[] } {
  const url = URL.canParse(text) && !text.includes("YOUR_") ? new URL(text) : undefined;
  if (!url) return { address: text.replace(/\/+$/, ""), query: [] };
  const address = url.href.replace(/[?#].*$/, "").replace(/\/+$/, "");
  return { address, query: url.search.length > 1 ? [url.search.slice(1)] : [] };
}

function hasHeader(headers: readonly Row[], name: string): boolean {
  return headers.some((header) => header.name.toLowerCase() === name.toLowerCase());
}

function oneLine(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these would end the line of a header
  return text.replace(/[\0-\x08\x0a-\x1f\x7f]+/g, " ").trim();
}

function isUsed({ required, sample, examples, in: location }: OperationParameter): boolean {
  return required || location === "path" || (examples.length > 0 && sample !== undefined);
}

/** Placeholder for an unknown value: its name in capitals. */
function getSample({ sample, sampleJson, name }: OperationParameter): unknown {
  return sample === undefined ? placeholderText(name) : joinJson(sample, sampleJson);
}

/** The body gets a placeholder when no valid value is known: a test has to be completed there, too. */
function completed(body: SampleBody): SampleRequest["body"] {
  const { mediaType } = body;
  if (body.kind === "json") {
    return body.value === undefined ? { kind: "text", mediaType, text: placeholderText("body") } : body;
  }
  return body.kind === "text" ? { ...body, text: body.text ?? placeholderText("body") } : body;
}

function authorize(request: SampleRequest, scheme: SecurityScheme, query: string[], cookies: string[]): void {
  if (scheme.type === "apiKey") {
    const name = scheme.parameterName ?? scheme.name;
    const value = placeholderText("api key");
    if (scheme.in === "query") query.push(`${encodePart(name)}=${value}`);
    else if (scheme.in === "cookie") cookies.push(`${name}=${value}`);
    else addHeader(request, name, value);
  } else if (scheme.type === "http" && scheme.scheme === "basic") {
    if (hasHeader(request.headers, "Authorization")) return;
    request.basic = { username: placeholderText("user name"), password: placeholderText("password") };
  } else if (scheme.type !== "mutualTLS" && scheme.scheme !== "digest") {
    addHeader(request, "Authorization", `Bearer ${placeholderText("token")}`);
  }
}

/** A parameter of the same name wins, as in a test. */
function addHeader(request: SampleRequest, name: string, value: string): void {
  if (!hasHeader(request.headers, name)) request.headers.push({ name, value });
}
