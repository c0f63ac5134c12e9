/** The parts of OpenAPI 3.1 that the servers use. */
export type Schema = Record<string, unknown>;

export interface Parameter {
  name: string;
  in: "path" | "query" | "header";
  required?: boolean;
  description?: string;
  schema: Schema;
  example?: unknown;
}

export interface Operation {
  operationId: string;
  summary: string;
  parameters?: Parameter[];
  requestBody?: { required: true; content: { "application/json": { schema: Schema; example?: unknown } } };
  responses: Record<string, unknown>;
  security?: Record<string, string[]>[];
}

export interface ServerDocument {
  openapi: "3.1.0";
  info: { title: string; version: string; description?: string };
  security?: Record<string, string[]>[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; responses: Record<string, unknown>; securitySchemes?: unknown };
}

export const refer = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });

export const json = (schema: Schema, example?: unknown) => ({ "application/json": { schema, example } });

/** A JSON body that has to be sent. */
export const sent = (schema: Schema, example: unknown): Operation["requestBody"] => ({
  required: true,
  content: json(schema, example),
});

export const gives = (description: string, schema: Schema, headers?: Record<string, Schema>) => ({
  description,
  ...(headers && {
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, headerSchema]) => [name, { required: true, schema: headerSchema }]),
    ),
  }),
  content: json(schema),
});

const problem = (description: string) => ({ description, content: json(refer("Problem")) });

/** Shared by all documents. */
export const problemSchema: Schema = {
  type: "object",
  required: ["error"],
  properties: { error: { type: "string" } },
  additionalProperties: false,
};

export const problems = {
  Invalid: problem("Something in the request is not as documented."),
  Unauthorized: {
    ...problem("The key is missing or wrong."),
    headers: { "WWW-Authenticate": { required: true, schema: { type: "string" } } },
  },
  NotFound: problem("There is none with this identifier."),
  NotAcceptable: problem("Only JSON is given."),
  PreconditionFailed: problem("It has changed since."),
  TooLarge: problem("The body has more than 1 MB."),
  UnsupportedMediaType: problem("Only JSON is taken."),
  UnknownReference: problem("Something that it refers to is not there."),
};

const refersTo = (name: keyof typeof problems) => ({ $ref: `#/components/responses/${name}` });

/** What every operation can answer; by letters: `n` not found, `b` with a body, `r` refers to something else, `k` needs a key. */
export function failures(letters = ""): Record<string, unknown> {
  return {
    400: refersTo("Invalid"),
    ...(letters.includes("k") && { 401: refersTo("Unauthorized") }),
    ...(letters.includes("n") && { 404: refersTo("NotFound") }),
    406: refersTo("NotAcceptable"),
    ...(letters.includes("b") && { 413: refersTo("TooLarge"), 415: refersTo("UnsupportedMediaType") }),
    ...(letters.includes("r") && { 422: refersTo("UnknownReference") }),
  };
}
