/** A generated OpenAPI 3.1 document with `operations` operations, padded with schemas to about `megabytes`. */
export function generateDocument(operations: number, megabytes: number): string {
  const schemaCount = Math.max(20, Math.floor(operations / 2));
  const padding = "Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor incididunt. ";
  const perOperation = Math.floor((megabytes * 1_000_000) / operations);
  const schemas: Record<string, unknown> = {};
  for (let index = 0; index < schemaCount; index++) {
    const properties: Record<string, unknown> = {
      id: { type: "string", format: "uuid", description: "Identifies the record" },
      created: { type: "string", format: "date-time" },
      state: { type: "string", enum: ["active", "paused", "ended"] },
      count: { type: "integer", minimum: 0, maximum: 1_000 },
    };
    for (let other = 1; other <= 4; other++) {
      properties[`related${other}`] = { $ref: `#/components/schemas/Record${(index * 7 + other * 13) % schemaCount}` };
    }
    schemas[`Record${index}`] = { type: "object", required: ["id", "state"], properties };
  }
  const problem = { type: "object", properties: { title: { type: "string" }, status: { type: "integer" } } };
  const error = {
    description: "Refused",
    content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } },
  };
  const paths: Record<string, Record<string, unknown>> = {};
  for (let index = 0; index < operations; index++) {
    const record = { $ref: `#/components/schemas/Record${index % schemaCount}` };
    const path = `/collections/${Math.floor(index / 2)}/records/{recordId}`;
    const fields: Record<string, unknown> = {};
    const operation = {
      operationId: `operation${index}`,
      tags: [`Group ${index % 40}`],
      summary: `Operation number ${index}`,
      description: padding.repeat(5),
      parameters: [
        { name: "recordId", in: "path", required: true, schema: { type: "string", format: "uuid" } },
        { name: "limit", in: "query", schema: { type: "integer", minimum: 1, maximum: 100 } },
      ],
      requestBody: { content: { "application/json": { schema: { type: "object", properties: fields } } } },
      responses: {
        "200": { description: "Fine", content: { "application/json": { schema: record } } },
        "400": error,
        "404": error,
      },
    };
    for (let size = JSON.stringify(operation).length, field = 0; size < perOperation - 500; field++) {
      const described = { type: "string", maxLength: 200, description: `${padding}${field}` };
      fields[`field${field}`] = described;
      size += JSON.stringify(described).length + 12;
    }
    paths[path] ??= {};
    paths[path][index % 2 === 0 ? "get" : "put"] =
      index % 2 === 0
        ? { ...operation, requestBody: undefined, description: operation.description + JSON.stringify(fields) }
        : operation;
  }
  return JSON.stringify({
    openapi: "3.1.0",
    info: { title: "Generated", version: "1.0.0" },
    servers: [{ url: "https://api.example.com" }],
    paths,
    components: { schemas: { ...schemas, Problem: problem } },
  });
}
