import type { SpecificationVersion } from "#contracts/api-registry/documents.ts";
import {
  anything,
  createGrammar,
  email,
  type Grammar,
  type KindDefinition,
  listShape,
  mapShape,
  object,
  type Shape,
  schema,
  text,
  truth,
  url,
  words,
} from "./shapes.ts";

const from31 = (shape: Shape) => ({ since: "3.1" as const, shape });
const from32 = (shape: Shape) => ({ since: "3.2" as const, shape });

const componentName = /^[a-zA-Z0-9._-]+$/;
const componentNameAdvice = "names of components may have letters, digits, dots, hyphens and underscores only";
const components = (shape: Shape) => mapShape(shape, componentName, componentNameAdvice);
const content = mapShape(object("mediaType"));
const servers = listShape(object("server"));
const security = listShape(object("securityRequirement"));
const parameters = listShape(object("parameter"));

/** Shared by parameters and headers. */
const serialised: KindDefinition["fields"] = {
  description: text,
  required: truth,
  deprecated: truth,
  explode: truth,
  schema,
  example: anything,
  examples: mapShape(object("example")),
  content,
};

const definitions: Record<string, KindDefinition> = {
  document: {
    called: "the document",
    fields: {
      "openapi!": anything,
      "info!": object("info"),
      $self: from32(text),
      jsonSchemaDialect: from31(text),
      servers,
      paths: object("paths"),
      webhooks: from31(mapShape(object("pathItem"))),
      components: object("components"),
      security,
      tags: listShape(object("tag")),
      externalDocs: object("externalDocs"),
    },
  },
  info: {
    called: "the info object",
    fields: {
      "title!": text,
      summary: from31(text),
      description: text,
      termsOfService: url,
      contact: object("contact"),
      license: object("license"),
      "version!": text,
    },
  },
  contact: { called: "the contact", fields: { name: text, url, email } },
  license: { called: "the license", fields: { "name!": text, identifier: from31(text), url } },
  server: {
    called: "a server",
    fields: { "url!": text, description: text, name: from32(text), variables: mapShape(object("serverVariable")) },
  },
  serverVariable: {
    called: "a server variable",
    fields: { enum: listShape(text), "default!": text, description: text },
  },
  components: {
    called: "the components object",
    fields: {
      schemas: components(schema),
      responses: components(object("response")),
      parameters: components(object("parameter")),
      examples: components(object("example")),
      requestBodies: components(object("requestBody")),
      headers: components(object("header")),
      securitySchemes: components(object("securityScheme")),
      links: components(object("link")),
      callbacks: components(object("callback")),
      pathItems: from31(components(object("pathItem"))),
      mediaTypes: from32(components(object("mediaType"))),
    },
  },
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
      summary: text,
      description: text,
      get: object("operation"),
      put: object("operation"),
      post: object("operation"),
      delete: object("operation"),
      options: object("operation"),
      head: object("operation"),
      patch: object("operation"),
      trace: object("operation"),
      query: from32(object("operation")),
      additionalOperations: from32(mapShape(object("operation"))),
      servers,
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
      parameters,
      requestBody: object("requestBody"),
      responses: object("responses"),
      callbacks: mapShape(object("callback")),
      deprecated: truth,
      security,
      servers,
    },
  },
  externalDocs: { called: "external documentation", fields: { description: text, "url!": url } },
  parameter: {
    called: "a parameter",
    mayBeReference: true,
    fields: {
      "name!": text,
      "in!": text,
      allowEmptyValue: truth,
      allowReserved: truth,
      style: text,
      ...serialised,
    },
  },
  header: { called: "a header", mayBeReference: true, fields: { style: words("simple"), ...serialised } },
  requestBody: {
    called: "a request body",
    mayBeReference: true,
    fields: { description: text, "content!": content, required: truth },
  },
  mediaType: {
    called: "a media type",
    mayBeReference: true,
    fields: {
      description: from32(text),
      schema,
      itemSchema: from32(schema),
      example: anything,
      examples: mapShape(object("example")),
      encoding: mapShape(object("encoding")),
      prefixEncoding: from32(listShape(object("encoding"))),
      itemEncoding: from32(object("encoding")),
    },
  },
  encoding: {
    called: "an encoding",
    fields: {
      contentType: text,
      headers: mapShape(object("header")),
      style: words("form", "spaceDelimited", "pipeDelimited", "deepObject"),
      explode: truth,
      allowReserved: truth,
      encoding: from32(mapShape(object("encoding"))),
      prefixEncoding: from32(listShape(object("encoding"))),
      itemEncoding: from32(object("encoding")),
    },
  },
  responses: {
    called: "the responses",
    fields: { default: object("response") },
    others: {
      shape: object("response"),
      names: /^[1-5](\d\d|XX)$/,
      advice: 'responses are named by status ("200"), range ("4XX") or "default"',
    },
  },
  response: {
    called: "a response",
    mayBeReference: true,
    fields: {
      summary: from32(text),
      description: text,
      headers: mapShape(object("header")),
      content,
      links: mapShape(object("link")),
    },
  },
  callback: {
    called: "a callback",
    mayBeReference: true,
    fields: {},
    others: { shape: object("pathItem"), names: /^(?!x-)/, advice: "" },
  },
  example: {
    called: "an example",
    mayBeReference: true,
    fields: {
      summary: text,
      description: text,
      value: anything,
      externalValue: url,
      dataValue: from32(anything),
      serializedValue: from32(text),
    },
  },
  link: {
    called: "a link",
    mayBeReference: true,
    fields: {
      operationRef: text,
      operationId: text,
      parameters: mapShape(anything),
      requestBody: anything,
      description: text,
      server: object("server"),
    },
  },
  tag: {
    called: "a tag",
    fields: {
      "name!": text,
      summary: from32(text),
      description: text,
      externalDocs: object("externalDocs"),
      parent: from32(text),
      kind: from32(text),
    },
  },
  securityScheme: {
    called: "a security scheme",
    mayBeReference: true,
    fields: {
      "type!": text,
      description: text,
      name: text,
      in: words("query", "header", "cookie"),
      scheme: text,
      bearerFormat: text,
      flows: object("flows"),
      openIdConnectUrl: url,
      oauth2MetadataUrl: from32(url),
      deprecated: from32(truth),
    },
  },
  flows: {
    called: "the flows",
    fields: {
      implicit: object("flow"),
      password: object("flow"),
      clientCredentials: object("flow"),
      authorizationCode: object("flow"),
      deviceAuthorization: from32(object("flow")),
    },
  },
  flow: {
    called: "a flow",
    fields: {
      authorizationUrl: url,
      tokenUrl: url,
      refreshUrl: url,
      deviceAuthorizationUrl: from32(url),
      "scopes!": mapShape(text),
    },
  },
  securityRequirement: {
    called: "a security requirement",
    fields: {},
    takesExtensions: false,
    others: { shape: listShape(text), names: /^/, advice: "" },
  },
  discriminator: {
    called: "a discriminator",
    fields: { "propertyName!": text, mapping: mapShape(text), defaultMapping: from32(text) },
  },
  xml: {
    called: "an xml object",
    fields: {
      nodeType: from32(words("element", "attribute", "text", "cdata", "none")),
      name: text,
      namespace: text,
      prefix: text,
      attribute: truth,
      wrapped: truth,
    },
  },
};

export function grammar3(version: Exclude<SpecificationVersion, "2.0">): Grammar {
  const grammar = createGrammar(definitions, version);
  if (version === "3.0") {
    grammar.get("document")!.fields.get("paths")!.required = true;
    grammar.get("operation")!.fields.get("responses")!.required = true;
  }
  if (version !== "3.2") {
    grammar.get("response")!.fields.get("description")!.required = true;
    grammar.get("mediaType")!.mayBeReference = false;
  }
  return grammar;
}
