import { smallDocument } from "./fixtures.ts";

/** A document before and after, the expected rule, and whether it may break clients. */
export type OperationRow = [what: string, before: object, after: object, rule: string, breaking: boolean];

const text = { type: "string" };
const ok = { responses: { "200": { description: "ok" } } };
const json = (schema: object, rest = {}) => ({ content: { "application/json": { schema, ...rest } } });

type Change = (part: object) => object;
const operation: Change = (part) => smallDocument({ paths: { "/a": { post: { ...ok, ...part } } }, components: {} });
const paths: Change = (part) => smallDocument({ paths: part, components: {} });
const servers = (...list: object[]) => smallDocument({ servers: list, paths: { "/a": { post: ok } }, components: {} });
const parameter: Change = (part) => operation({ parameters: [{ name: "q", in: "query", schema: text, ...part }] });
const listed = { schema: { type: "array", items: text } };
const body: Change = (part) => operation({ requestBody: { ...json({}), ...part } });
const answer: Change = (part) => operation({ responses: { "200": { description: "ok", ...part } } });
const header: Change = (part) => answer({ headers: { "X-Left": part } });
const part = (encoding: object) =>
  operation({
    requestBody: {
      content: {
        "multipart/form-data": { schema: { type: "object", properties: { file: text } }, encoding: { file: encoding } },
      },
    },
  });
const secured = (security: object[], securitySchemes: object) =>
  smallDocument({ paths: { "/a": { post: { ...ok, security } } }, components: { securitySchemes } });
const keyed = (scheme: object) => secured([{ key: [] }], { key: scheme });
const key = { type: "apiKey", in: "header", name: "X-Key" };
const flow = { authorizationUrl: "https://a.example.com/auth", tokenUrl: "https://a.example.com/token" };
const oauth = (rest: object, scopes: object = { read: "" }) =>
  secured([{ login: ["read"] }], {
    login: { type: "oauth2", flows: { authorizationCode: { ...flow, scopes: { ...scopes, read: "" }, ...rest } } },
  });
const bearer = { type: "http", scheme: "bearer" };
const called = (post: object, expression = "{$request.body#/url}") =>
  operation({ callbacks: { onDone: { [expression]: { post: { ...ok, ...post } } } } });
const webhook = (part: object) => smallDocument({ paths: {}, webhooks: part, components: {} });
const link = (rest: object) => answer({ links: { next: { operationId: "getNext", ...rest } } });
const first = { url: "https://one.example.com" };
const second = { url: "https://two.example.com" };
const regional = (variable: object) => ({
  url: "https://{region}.example.com",
  variables: { region: { default: "eu", ...variable } },
});

export const operationRows: OperationRow[] = [
  ["a new operation", paths({}), paths({ "/a": { get: ok } }), "operation.added", false],
  ["an operation that is gone", paths({ "/a": { get: ok } }), paths({}), "operation.removed", true],
  [
    "a base path in the paths",
    smallDocument({ servers: [{ url: "https://a.example.com/v1" }], paths: { "/a": { get: ok } }, components: {} }),
    smallDocument({ servers: [{ url: "https://a.example.com" }], paths: { "/v1/a": { get: ok } }, components: {} }),
    "operation.moved",
    false,
  ],
  [
    "another name of a path parameter",
    paths({ "/a/{id}": { get: { ...ok, parameters: [{ name: "id", in: "path", required: true, schema: text }] } } }),
    paths({ "/a/{key}": { get: { ...ok, parameters: [{ name: "key", in: "path", required: true, schema: text }] } } }),
    "operation.parameter-renamed",
    false,
  ],
  ["deprecation", operation({}), operation({ deprecated: true }), "operation.deprecated", false],
  ["the end of deprecation", operation({ deprecated: true }), operation({}), "operation.undeprecated", false],
  ["an operationId", operation({}), operation({ operationId: "a" }), "operation.id-changed", false],
  ["a description", operation({}), operation({ description: "It" }), "operation.texts", false],
  ["an example", body({}), body(json({}, { example: 1 })), "operation.texts", false],
  ["one more server", servers(first), servers(first, second), "servers.added", false],
  ["one server less", servers(first, second), servers(first), "servers.removed", true],
  ["another server first", servers(first, second), servers(second, first), "servers.reordered", false],
  [
    "fewer values of a server variable",
    servers(regional({ enum: ["eu", "us"] })),
    servers(regional({ enum: ["eu"] })),
    "servers.variable-narrowed",
    true,
  ],
  [
    "another default of a server variable",
    servers(regional({})),
    servers(regional({ default: "us" })),
    "servers.variable-changed",
    false,
  ],
  ["an optional parameter", operation({}), parameter({}), "parameter.added", false],
  ["a required parameter", operation({}), parameter({ required: true }), "parameter.added-required", true],
  ["a parameter less", parameter({}), operation({}), "parameter.removed", true],
  ["a parameter that becomes required", parameter({}), parameter({ required: true }), "parameter.required", true],
  ["a parameter that becomes optional", parameter({ required: true }), parameter({}), "parameter.optional", false],
  [
    "a list that is written with other separators",
    parameter({ ...listed, explode: false }),
    parameter({ ...listed, explode: false, style: "pipeDelimited" }),
    "parameter.serialization-changed",
    true,
  ],
  [
    "a list that is no longer exploded",
    parameter(listed),
    parameter({ ...listed, explode: false }),
    "parameter.serialization-changed",
    true,
  ],
  [
    "a parameter that is JSON now",
    parameter({}),
    operation({ parameters: [{ name: "q", in: "query", content: { "application/json": { schema: text } } }] }),
    "parameter.serialization-changed",
    true,
  ],
  [
    "reserved characters that are refused",
    parameter({ allowReserved: true }),
    parameter({}),
    "parameter.reserved-refused",
    true,
  ],
  ["reserved characters", parameter({}), parameter({ allowReserved: true }), "parameter.reserved-allowed", false],
  [
    "empty values that are refused",
    parameter({ allowEmptyValue: true }),
    parameter({}),
    "parameter.empty-refused",
    true,
  ],
  ["empty values", parameter({}), parameter({ allowEmptyValue: true }), "parameter.empty-allowed", false],
  ["a deprecated parameter", parameter({}), parameter({ deprecated: true }), "parameter.deprecated", false],
  ["an optional body", operation({}), body({}), "body.added", false],
  ["a required body", operation({}), body({ required: true }), "body.added-required", true],
  ["no body any more", body({}), operation({}), "body.removed", true],
  ["a body that becomes required", body({}), body({ required: true }), "body.required", true],
  ["a body that becomes optional", body({ required: true }), body({}), "body.optional", false],
  [
    "one more media type of a request",
    body({}),
    body({ content: { "application/json": { schema: {} }, "text/csv": {} } }),
    "request.media-type.added",
    false,
  ],
  [
    "one media type of a request less",
    body({ content: { "application/json": { schema: {} }, "text/csv": {} } }),
    body({}),
    "request.media-type.removed",
    true,
  ],
  [
    "a media type in place of a range",
    body({ content: { "image/*": {} } }),
    body({ content: { "image/png": {} } }),
    "request.media-type.narrowed",
    true,
  ],
  [
    "a range in place of a media type",
    body({ content: { "image/png": {} } }),
    body({ content: { "image/*": {} } }),
    "request.media-type.widened",
    false,
  ],
  [
    "one more media type of a response",
    answer(json({})),
    answer({ content: { "application/json": { schema: {} }, "text/csv": {} } }),
    "response.media-type.added",
    false,
  ],
  [
    "one media type of a response less",
    answer({ content: { "application/json": { schema: {} }, "text/csv": {} } }),
    answer(json({})),
    "response.media-type.removed",
    true,
  ],
  [
    "one of a range in a response",
    answer({ content: { "image/*": {} } }),
    answer({ content: { "image/png": {} } }),
    "response.media-type.narrowed",
    false,
  ],
  [
    "any of a range in a response",
    answer({ content: { "image/png": {} } }),
    answer({ content: { "image/*": {} } }),
    "response.media-type.widened",
    true,
  ],
  ["a part that is written differently", part({}), part({ style: "spaceDelimited" }), "request.encoding.changed", true],
  [
    "a part of fewer types",
    part({ contentType: "image/png, image/jpeg" }),
    part({ contentType: "image/png" }),
    "request.encoding.type-narrowed",
    true,
  ],
  [
    "a part of more types",
    part({ contentType: "image/png" }),
    part({ contentType: "image/*" }),
    "request.encoding.type-widened",
    false,
  ],
  [
    "a header that a part needs",
    part({}),
    part({ headers: { "X-Size": { required: true, schema: text } } }),
    "request.encoding.header-required",
    true,
  ],
  [
    "a part of a response that is another type",
    answer({ content: { "multipart/mixed": { schema: {}, encoding: { a: { contentType: "text/csv" } } } } }),
    answer({ content: { "multipart/mixed": { schema: {}, encoding: { a: { contentType: "text/plain" } } } } }),
    "response.encoding.changed",
    true,
  ],
  [
    "one more response",
    operation({}),
    operation({ responses: { ...ok.responses, "404": { description: "" } } }),
    "response.added",
    false,
  ],
  [
    "one response less",
    operation({ responses: { ...ok.responses, "404": { description: "" } } }),
    operation({}),
    "response.removed",
    true,
  ],
  [
    "a range in place of a status",
    operation({}),
    operation({ responses: { "2XX": { description: "ok" } } }),
    "response.covered",
    false,
  ],
  ["a header of a response", answer({}), header({ schema: text }), "response.header.added", false],
  ["a header of a response less", header({ schema: text }), answer({}), "response.header.removed", true],
  [
    "a header that always comes",
    header({ schema: text }),
    header({ schema: text, required: true }),
    "response.header.required",
    false,
  ],
  [
    "a header that may be missing",
    header({ schema: text, required: true }),
    header({ schema: text }),
    "response.header.optional",
    true,
  ],
  [
    "a header that is JSON now",
    header({ schema: text }),
    header({ content: { "application/json": { schema: text } } }),
    "response.header.serialization-changed",
    true,
  ],
  [
    "a header of another type",
    header({ schema: text }),
    header({ schema: { type: "integer" } }),
    "response.type.changed",
    true,
  ],
  ["a link", answer({}), link({}), "link.added", false],
  ["a link less", link({}), answer({}), "link.removed", true],
  [
    "a link with another value",
    link({ parameters: { id: "$response.body#/a" } }),
    link({ parameters: { id: "$response.body#/b" } }),
    "link.changed",
    true,
  ],
  ["authorization", secured([], { key }), secured([{ key: [] }], { key }), "security.required", true],
  ["no authorization any more", secured([{ key: [] }], { key }), secured([], { key }), "security.none", false],
  [
    "fewer ways to authorize",
    secured([{ key: [] }, { token: [] }], { key, token: bearer }),
    secured([{ key: [] }], { key, token: bearer }),
    "security.narrowed",
    true,
  ],
  [
    "one more scope that is needed",
    secured([{ login: ["read"] }], { login: { type: "openIdConnect", openIdConnectUrl: "https://a.example.com" } }),
    secured([{ login: ["read", "write"] }], {
      login: { type: "openIdConnect", openIdConnectUrl: "https://a.example.com" },
    }),
    "security.narrowed",
    true,
  ],
  [
    "more ways to authorize",
    secured([{ key: [] }], { key, token: bearer }),
    secured([{ token: [] }, { key: [] }], { key, token: bearer }),
    "security.widened",
    false,
  ],
  ["a key in another header", keyed(key), keyed({ ...key, name: "X-Other" }), "security.scheme-changed", true],
  ["a key in the address", keyed(key), keyed({ ...key, in: "query" }), "security.scheme-changed", true],
  ["another HTTP scheme", keyed(bearer), keyed({ type: "http", scheme: "basic" }), "security.scheme-changed", true],
  [
    "another token address",
    oauth({}),
    oauth({ tokenUrl: "https://b.example.com/token" }),
    "security.scheme-changed",
    true,
  ],
  ["one scope less", oauth({}, { write: "" }), oauth({}), "security.scheme-changed", true],
  ["one more scope to have", oauth({}), oauth({}, { write: "" }), "security.scheme-extended", false],
  ["another text of a scheme", keyed(key), keyed({ ...key, description: "Ask" }), "operation.texts", false],
  ["a callback", operation({}), called({}), "callback.added", false],
  ["a callback less", called({}), operation({}), "callback.removed", true],
  [
    "a callback with a parameter",
    called({}),
    called({ parameters: [{ name: "q", in: "query", schema: text }] }),
    "callback.parameter.added",
    false,
  ],
  [
    "a callback without its parameter",
    called({ parameters: [{ name: "q", in: "query", schema: text }] }),
    called({}),
    "callback.parameter.removed",
    true,
  ],
  [
    "a callback whose parameter may be missing",
    called({ parameters: [{ name: "q", in: "query", required: true, schema: text }] }),
    called({ parameters: [{ name: "q", in: "query", schema: text }] }),
    "callback.parameter.optional",
    true,
  ],
  [
    "a callback whose parameter always comes",
    called({ parameters: [{ name: "q", in: "query", schema: text }] }),
    called({ parameters: [{ name: "q", in: "query", required: true, schema: text }] }),
    "callback.parameter.required",
    false,
  ],
  [
    "a callback whose parameter is written differently",
    called({ parameters: [{ name: "q", in: "query", ...listed }] }),
    called({ parameters: [{ name: "q", in: "query", explode: false, ...listed }] }),
    "callback.parameter.serialization-changed",
    true,
  ],
  ["a callback with a body", called({}), called({ requestBody: json({}) }), "callback.body.added", false],
  ["a callback without its body", called({ requestBody: json({}) }), called({}), "callback.body.removed", true],
  [
    "a callback whose body may be missing",
    called({ requestBody: { ...json({}), required: true } }),
    called({ requestBody: json({}) }),
    "callback.body.optional",
    true,
  ],
  [
    "a callback whose body always comes",
    called({ requestBody: json({}) }),
    called({ requestBody: { ...json({}), required: true } }),
    "callback.body.required",
    false,
  ],
  [
    "a callback with more values",
    called({ requestBody: json({ enum: ["a"] }) }),
    called({ requestBody: json({ enum: ["a", "b"] }) }),
    "response.enum.widened",
    true,
  ],
  [
    "a callback with fewer values",
    called({ requestBody: json({ enum: ["a", "b"] }) }),
    called({ requestBody: json({ enum: ["a"] }) }),
    "response.enum.narrowed",
    false,
  ],
  [
    "one more answer to a callback",
    called({}),
    called({ responses: { ...ok.responses, "410": { description: "" } } }),
    "callback.response.added",
    false,
  ],
  [
    "one answer to a callback less",
    called({ responses: { ...ok.responses, "410": { description: "" } } }),
    called({}),
    "callback.response.removed",
    true,
  ],
  ["a webhook", webhook({ a: { post: ok } }), webhook({ a: { post: ok }, b: { post: ok } }), "webhook.added", false],
  [
    "a webhook less",
    webhook({ a: { post: ok }, b: { post: ok } }),
    webhook({ a: { post: ok } }),
    "webhook.removed",
    true,
  ],
  [
    "a webhook with more values",
    webhook({ a: { post: { ...ok, requestBody: json({ enum: ["a"] }) } } }),
    webhook({ a: { post: { ...ok, requestBody: json({ enum: ["a", "b"] }) } } }),
    "response.enum.widened",
    true,
  ],
];
