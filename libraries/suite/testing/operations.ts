import type { DescribedOperation, OperationParameter } from "#contracts/api-registry/operations.ts";

interface Parts {
  operationId?: string;
  /** Schema of the JSON body. */
  body?: unknown;
  /** Schemas of JSON responses by status; null for one without a body. */
  responses?: Record<string, unknown>;
  query?: string[];
  links?: DescribedOperation["responses"][number]["links"];
  headers?: string[];
  parameters?: Partial<OperationParameter>[];
  security?: DescribedOperation["security"];
}

/** A described operation, from `GET /books/{id}` and what matters of it. */
export function operation(key: string, parts: Parts = {}): DescribedOperation {
  const [method = "", path = ""] = key.split(" ");
  const { operationId = null, body, responses = { 200: null }, query = [], links = [], headers = [] } = parts;
  const described = new Set(parts.parameters?.map((one) => one.name));
  const names = [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name]) => name!);
  const inPath = names.filter((name) => !described.has(name)).map((name) => parameter({ name, in: "path" }));
  return {
    ...{ operationId, path, method: method.toLowerCase(), summary: "", tag: "", tags: [], deprecated: false },
    ...{ description: "", servers: [], security: parts.security ?? [], callbacks: [] },
    responseStatuses: Object.keys(responses),
    parameters: [
      ...inPath,
      ...query.map((name) => parameter({ name, in: "query", required: false })),
      ...(parts.parameters ?? []).map(parameter),
    ],
    ...(body === undefined ? {} : { requestBody: { required: true, description: "", content: [toContent(body)] } }),
    responses: Object.entries(responses).map(([status, schema]) => ({
      ...{ status, description: "", links },
      headers: headers.map((name) => ({ name, required: false, description: "", schema: { type: "string" } })),
      content: schema === null ? [] : [toContent(schema)],
    })),
  };
}

const toContent = (schema: unknown) => ({
  mediaType: "application/json",
  schema: schema as Record<string, unknown>,
  examples: [],
});

function parameter(given: Partial<OperationParameter>): OperationParameter {
  const location = given.in ?? "query";
  return {
    ...{ name: "", in: location, required: true, deprecated: false, description: "", allowReserved: false },
    ...{ style: location === "query" ? "form" : "simple", explode: location === "query", examples: [] },
    schema: { type: "string" },
    ...given,
  };
}

export const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
export const list = (items: unknown) => ({ type: "array", items });
export const object = (properties: Record<string, unknown>, required: string[] = []) => ({
  ...{ type: "object", properties, required },
});
export const text = { type: "string" };
