import {
  anything,
  createGrammar,
  email,
  type Grammar,
  type KindDefinition,
  listShape,
  mapShape,
  object,
  schema,
  text,
  truth,
  url,
  words,
} from "./shapes.ts";

const mediaTypes = listShape(text);
const schemes = listShape(words("http", "https", "ws", "wss"));
const security = listShape(object("securityRequirement"));
const parameters = listShape(object("parameter"));
const number = { is: "number" as const };

/** JSON Schema keywords that parameters, items and headers of 2.0 contain directly. */
const simpleSchema: KindDefinition["fields"] = {
  format: text,
  items: object("items"),
  collectionFormat: words("csv", "ssv", "tsv", "pipes"),
  default: anything,
  maximum: number,
  exclusiveMaximum: truth,
  minimum: number,
  exclusiveMinimum: truth,
  maxLength: number,
  minLength: number,
  pattern: text,
  maxItems: number,
  minItems: number,
  uniqueItems: truth,
  enum: listShape(anything, 1),
  multipleOf: number,
};

const definitions: Record<string, KindDefinition> = {
  document: {
    called: "the document",
    fields: {
      "swagger!": anything,
      "info!": object("info"),
      host: text,
      basePath: text,
      schemes,
      consumes: mediaTypes,
      produces: mediaTypes,
      "paths!": object("paths"),
      definitions: mapShape(schema),
      parameters: mapShape(object("parameter")),
      responses: mapShape(object("response")),
      securityDefinitions: mapShape(object("securityScheme")),
      security,
      tags: listShape(object("tag")),
      externalDocs: object("externalDocs"),
    },
  },
  info: {
    called: "the info object",
    fields: {
      "title!": text,
      "version!": text,
      description: text,
      termsOfService: text,
      contact: object("contact"),
      license: object("license"),
    },
  },
  contact: { called: "the contact", fields: { name: text, url, email } },
  license: { called: "the license", fields: { "name!": text, url } },
  externalDocs: { called: "external documentation", fields: { description: text, "url!": url } },
  tag: { called: "a tag", fields: { "name!": text, description: text, externalDocs: object("externalDocs") } },
  paths: {
    called: "the paths object",
    fields: {},
    others: { shape: object("pathItem"), names: /^\//, advice: 'a path has to start with "/"' },
  },
  pathItem: {
    called: "a path",
    mayBeReference: true,
    fields: {
      $ref: text,
      get: object("operation"),
      put: object("operation"),
      post: object("operation"),
      delete: object("operation"),
      options: object("operation"),
      head: object("operation"),
      patch: object("operation"),
      parameters,
    },
  },
  operation: {
    called: "an operation",
    fields: {
      tags: listShape(text),
      summary: text,
      description: text,
      externalDocs: object("externalDocs"),
      operationId: text,
      produces: mediaTypes,
      consumes: mediaTypes,
      parameters,
      "responses!": object("responses"),
      schemes,
      deprecated: truth,
      security,
    },
  },
  parameter: {
    called: "a parameter",
    mayBeReference: true,
    fields: {
      "name!": text,
      "in!": words("path", "query", "header", "formData", "body"),
      description: text,
      required: truth,
      schema,
      type: text,
      allowEmptyValue: truth,
      ...simpleSchema,
      collectionFormat: words("csv", "ssv", "tsv", "pipes", "multi"),
    },
  },
  items: {
    called: "the items of a parameter",
    fields: { "type!": words("string", "number", "integer", "boolean", "array"), ...simpleSchema },
  },
  header: {
    called: "a header",
    fields: {
      "type!": words("string", "number", "integer", "boolean", "array"),
      description: text,
      ...simpleSchema,
    },
  },
  responses: {
    called: "the responses",
    fields: { default: object("response") },
    others: {
      shape: object("response"),
      names: /^[0-9]{3}$/,
      advice: 'responses are named by status ("200") or "default", and ranges came with OpenAPI 3.0',
    },
  },
  response: {
    called: "a response",
    mayBeReference: true,
    fields: { "description!": text, schema, headers: mapShape(object("header")), examples: mapShape(anything) },
  },
  securityScheme: {
    called: "a security definition",
    fields: {
      "type!": words("basic", "apiKey", "oauth2"),
      description: text,
      name: text,
      in: words("query", "header"),
      flow: words("implicit", "password", "application", "accessCode"),
      authorizationUrl: url,
      tokenUrl: url,
      scopes: mapShape(text),
    },
  },
  securityRequirement: {
    called: "a security requirement",
    fields: {},
    takesExtensions: false,
    others: { shape: listShape(text), names: /^/, advice: "" },
  },
  xml: {
    called: "an xml object",
    fields: { name: text, namespace: text, prefix: text, attribute: truth, wrapped: truth },
  },
};

export function grammar2(): Grammar {
  return createGrammar(definitions, "2.0");
}
