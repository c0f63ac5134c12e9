import { OpenAPIHono, type RouteConfig, z } from "@hono/zod-openapi";
import { actuatorContract } from "#contracts/kit/actuator.ts";
import type { Contract, Endpoint } from "#contracts/kit/endpoint.ts";
import { type Header, location, requestId, retryAfter, wwwAuthenticate } from "#contracts/kit/headers.ts";
import { type ProblemCode, problemStatuses, problemTitles } from "#contracts/kit/problem.ts";
import { listProblemCodes, problemSchema } from "#contracts/kit/problems.ts";
import { getMember, isRecord, type JsonRecord, toList, toRecord } from "#libraries/json/json-value.ts";
import { type Direction, makeSample } from "#libraries/openapi/sample/sampler.ts";

export interface Described {
  /** Path segment below `/api/`, such as `test-registry`. */
  name: string;
  description: string;
  version: string;
  contract: Contract;
}

const statusHeaders: Record<number, Header[]> = { 401: [wwwAuthenticate], 429: [retryAfter], 503: [retryAfter] };

/** The OpenAPI 3.1 document of a contract, without internal endpoints. */
export function describeService({ name, description, version, contract }: Described): JsonRecord {
  const { openAPIRegistry: registry, getOpenAPI31Document } = new OpenAPIHono();
  const endpoints = Object.entries<Endpoint>({ ...contract, ...actuatorContract }).filter(
    ([, { access }]) => access !== "internal",
  );
  registry.registerComponent("securitySchemes", "bearer", {
    type: "http",
    scheme: "bearer",
    bearerFormat: "JWT",
    description: "The access token returned by `POST /api/security-service/auth/login`.",
  });
  if (endpoints.some(([, { access }]) => access === "agent")) {
    registry.registerComponent("securitySchemes", "agent", {
      type: "http",
      scheme: "bearer",
      bearerFormat: "JWT",
      description:
        "A JWT (`EdDSA`, type `agent+jwt`) that the agent signs for each call: `sub` its id, `aud` `api-assurance-portal`, `exp` at most five minutes after `iat`, `jti` used once, `call` method and path, `body` SHA-256 of the body in base64url.",
    });
  }
  registry.register("Problem", problemSchema);
  for (const header of listHeaders(endpoints.map(([, endpoint]) => endpoint))) {
    registry.registerComponent("headers", header.name, {
      description: header.description,
      schema: plainSchema(header),
    });
  }
  const refusals = new Set(endpoints.flatMap(([, endpoint]) => usuallyRefused(endpoint)));
  for (const code of refusals) registry.registerComponent("responses", refusalName(code), usualRefusal(code));
  for (const [operationId, endpoint] of endpoints) registry.registerPath(toRoute(operationId, endpoint));
  const tags = new Map(endpoints.flatMap(([, { tag }]) => (tag ? [[tag.name, tag]] : [])));
  const document = getOpenAPI31Document({
    openapi: "3.1.0",
    info: { title: toTitle(name), version, description },
    servers: [{ url: `/api/${name}`, description: "This installation" }],
    tags: [...tags.values()],
  }) as unknown as JsonRecord;
  return withExamples(withPlainPatterns(document));
}

/** `test-registry`: "API Assurance: test registry". */
function toTitle(name: string): string {
  return `API Assurance: ${name.replaceAll("-", " ").replace(/\bapi\b/, "API")}`;
}

function listHeaders(endpoints: Endpoint[]): Set<Header> {
  const endpointHeaders = endpoints.flatMap(({ access, locationPath, responseHeaders = [] }) => [
    ...(access === "public" ? [] : [wwwAuthenticate]),
    ...(locationPath ? [location] : []),
    ...responseHeaders,
  ]);
  return new Set([requestId, retryAfter, ...endpointHeaders]);
}

function plainSchema({ schema }: Header): JsonRecord {
  const { $schema: _, ...plain } = z.toJSONSchema(schema);
  return plain;
}

function describeAccess(access: Endpoint["access"]): Record<string, string[]>[] {
  if (access === "public") return [];
  if (access === "agent") return [{ agent: [] }];
  return [{ bearer: access === "signed-in" || access === "own-account" ? [] : [access] }];
}

function toRoute(operationId: string, endpoint: Endpoint): RouteConfig {
  const { method, path, access, summary, description, params, query, body, tag, headers = [] } = endpoint;
  return {
    method,
    path,
    operationId,
    summary,
    description,
    tags: tag ? [tag.name] : [],
    security: describeAccess(access),
    ...(headers.length > 0 ? { parameters: headers.map(headerParameter) } : {}),
    request: {
      params: params as z.ZodObject | undefined,
      query: query as z.ZodObject | undefined,
      ...(body || endpoint.otherBodies
        ? { body: { required: isBodyNeeded(endpoint), content: toBodies(endpoint) } }
        : {}),
    },
    responses: { ...toSuccesses(endpoint), ...toRefusals(endpoint) },
  };
}

function headerParameter(header: Header) {
  const { name, description, required = false } = header;
  return { name, in: "header" as const, required, description, schema: plainSchema(header) };
}

/** Without a JSON body one of the others has to be sent. */
function isBodyNeeded({ body }: Endpoint): boolean {
  return !body?.safeParse(undefined).success;
}

function toBodies({ body, otherBodies = {} }: Endpoint) {
  const others = Object.entries(otherBodies).map(([type, schema]) => [type, { schema }]);
  return { ...(body ? { "application/json": { schema: body } } : {}), ...Object.fromEntries(others) };
}

const linksTo = (headers: Header[]) =>
  Object.fromEntries(headers.map(({ name }) => [name, { $ref: `#/components/headers/${name}` }]));

function toSuccesses({
  status,
  otherStatuses = [],
  response,
  otherResponses = {},
  responseHeaders = [],
  locationPath,
}: Endpoint) {
  const headers = linksTo([...responseHeaders, ...(locationPath ? [location] : []), requestId]);
  const others = Object.entries(otherResponses).map(([type, other]) => [
    type,
    "example" in other
      ? { schema: { type: "string", description: other.description }, example: other.example }
      : { schema: other },
  ]);
  const content = { ...(response ? { "application/json": { schema: response } } : {}), ...Object.fromEntries(others) };
  const responses = [status, ...otherStatuses].map((one) => [
    one,
    {
      description: successNames[one],
      headers,
      ...(one !== 304 && Object.keys(content).length > 0 ? { content } : {}),
    },
  ]);
  return Object.fromEntries(responses);
}

const successNames = {
  200: "Success",
  201: "Created",
  202: "Accepted",
  204: "Success without content",
  304: "Not modified",
  503: "Temporarily unavailable",
};

/** One response per status; several codes may share it. */
function toRefusals(endpoint: Endpoint) {
  const byStatus = new Map<number, ProblemCode[]>();
  for (const code of listProblemCodes(endpoint)) {
    const status = problemStatuses[code];
    if (endpoint.otherStatuses?.some((other) => other === status)) continue;
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries([...byStatus].map(([status, codes]) => [status, refusal(status, codes, endpoint)]));
}

function usuallyRefused(endpoint: Endpoint): ProblemCode[] {
  return listProblemCodes(endpoint).filter((code) => endpoint.problems?.[code] === undefined);
}

function refusal(status: number, codes: ProblemCode[], { problems = {} }: Pick<Endpoint, "problems">) {
  const [code] = codes as [ProblemCode, ...ProblemCode[]];
  if (codes.every((one) => problems[one] === undefined)) return { $ref: `#/components/responses/${refusalName(code)}` };
  const description = codes.map((one) => `\`${one}\`: ${problems[one] ?? `${problemTitles[one]}.`}`).join("\n\n");
  return { description, ...refusalParts(status, code, problems[code]) };
}

/** `not_found` becomes `NotFound`. */
function refusalName(code: ProblemCode): string {
  return code.replace(/(?:^|_)([a-z])/g, (_, character: string) => character.toUpperCase());
}

function usualRefusal(code: ProblemCode) {
  const { content, headers } = refusalParts(problemStatuses[code], code);
  const media = {
    schema: { $ref: "#/components/schemas/Problem" },
    example: content["application/problem+json"].example,
  };
  return {
    description: `\`${code}\`: ${problemTitles[code]}.`,
    headers,
    content: { "application/problem+json": media },
  };
}

function refusalParts(status: number, code: ProblemCode, detail = `${problemTitles[code]}.`) {
  const title = problemTitles[code];
  const example = {
    type: "about:blank",
    title,
    status,
    code,
    detail,
    requestId: "0198c1f4-7a3e-7c41-9d55-3f0a6b2c8e10",
  };
  return {
    headers: linksTo([...(statusHeaders[status] ?? []), requestId]),
    content: { "application/problem+json": { schema: problemSchema, example } },
  };
}

/** JSON Schema patterns are always Unicode and have no flags. */
function withPlainPatterns(document: JsonRecord): JsonRecord {
  return JSON.parse(JSON.stringify(document), (key, value) =>
    key === "pattern" && typeof value === "string" ? value.replace(/\/u$/, "") : value,
  );
}

/** Adds an example to every JSON body and response, generated from the members' own examples. */
function withExamples(document: JsonRecord): JsonRecord {
  const source = { find: (reference: string) => resolve(document, reference) };
  // Of optional members some exclude each other, and a made-up reference would be refused.
  const sampleOf = (schema: unknown, direction: Direction) => {
    const least = direction === "request" ? makeSample(schema, direction, source, { onlyRequired: true }) : undefined;
    const isTelling = !isRecord(least?.value) || Object.keys(least.value).length > 0;
    return least && isTelling ? least : makeSample(schema, direction, source);
  };
  const show = (content: unknown, direction: Direction) => {
    for (const media of Object.values(toRecord(content))) {
      if (!isRecord(media) || media.example !== undefined) continue;
      const sample = sampleOf(media.schema, direction);
      if (sample) media.example = sample.value;
    }
  };
  // No generated examples for optional parameters: a made-up cursor, for example, would be invalid.
  const showParameter = (parameter: unknown) => {
    const { schema, required, name, description } = toRecord(parameter);
    const [, resource] = /^(\w+)Id$/.exec(String(name)) ?? [];
    if (description === undefined && resource)
      Object.assign(parameter as JsonRecord, { description: describeId(resource) });
    const hasValues = ["example", "default", "enum"].some((word) => getMember(schema, word) !== undefined);
    const sample = required || hasValues ? makeSample(schema, "request", source) : undefined;
    if (sample) Object.assign(parameter as JsonRecord, { example: sample.value });
  };
  for (const item of Object.values(toRecord(document.paths))) {
    for (const operation of Object.values(toRecord(item))) {
      show(getMember(getMember(operation, "requestBody"), "content"), "request");
      for (const result of Object.values(toRecord(getMember(operation, "responses")))) {
        show(getMember(result, "content"), "response");
      }
      for (const parameter of toList(getMember(operation, "parameters"))) showParameter(parameter);
    }
  }
  return document;
}

/** `invitationId`: "Id of the invitation". */
function describeId(resource: string): string {
  const words = resource.replace(/[A-Z]/g, (character) => ` ${character.toLowerCase()}`);
  return `Id of the ${words === "api" ? "API" : words}`;
}

function resolve(document: JsonRecord, reference: string): unknown {
  return reference
    .slice(2)
    .split("/")
    .reduce<unknown>((value, step) => getMember(value, step), document);
}
