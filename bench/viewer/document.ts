/**
 * A document of `operationCount` operations of one shape, a hundred per tag: each has its own path, parameters, body,
 * four responses and schemas that reference shared ones, so that two sizes differ only in the number.
 */
export function generateDocument(operationCount: number): string {
  const paths: Record<string, unknown> = {};
  const schemas: Record<string, unknown> = {
    Money: {
      type: "object",
      required: ["amount", "currency"],
      properties: {
        amount: { type: "string", pattern: "^\\d+\\.\\d{2}$" },
        currency: { type: "string", minLength: 3 },
      },
    },
    Problem: {
      type: "object",
      properties: {
        title: { type: "string" },
        errors: { type: "array", items: { type: "object", properties: { path: { type: "string" } } } },
      },
    },
  };
  for (let number = 0; number < operationCount; number++) {
    const reference = { $ref: `#/components/schemas/Order${number}` };
    schemas[`Order${number}`] = {
      type: "object",
      description: `What is known of order kind ${number}.`,
      required: ["id", "total"],
      properties: {
        id: { type: "string", format: "uuid", readOnly: true },
        state: { type: "string", enum: ["new", "paid", "sent"], default: "new" },
        total: { $ref: "#/components/schemas/Money" },
        lines: {
          type: "array",
          minItems: 1,
          items: {
            type: "object",
            required: ["name"],
            properties: {
              name: { type: "string", maxLength: 200, description: "As printed on the **bill**." },
              price: { $ref: "#/components/schemas/Money" },
              parent: reference,
            },
          },
        },
      },
    };
    const problem = {
      description: "Refused",
      content: { "application/json": { schema: { $ref: "#/components/schemas/Problem" } } },
    };
    paths[`/tenants/{tenantId}/orders-${number}`] = {
      post: {
        operationId: `createOrder${number}`,
        tags: [`group-${Math.floor(number / 100)}`],
        summary: `Create an order of kind ${number}`,
        description: "Creates an order and answers it.\n\n* idempotent\n* rate limited",
        parameters: [
          { name: "tenantId", in: "path", required: true, schema: { type: "integer", minimum: 1 } },
          { name: "dryRun", in: "query", description: "Only checks.", schema: { type: "boolean", default: false } },
          { name: "Idempotency-Key", in: "header", schema: { type: "string", maxLength: 64 } },
        ],
        requestBody: { required: true, content: { "application/json": { schema: reference } } },
        responses: {
          201: { description: "Created", content: { "application/json": { schema: reference } } },
          400: problem,
          401: problem,
          422: problem,
        },
      },
    };
  }
  const tags = Array.from({ length: Math.ceil(operationCount / 100) }, (_, index) => ({ name: `group-${index}` }));
  return JSON.stringify({
    openapi: "3.0.3",
    info: { title: `Orders with ${operationCount} operations`, version: "1.0.0" },
    servers: [{ url: "https://api.example.com/v1" }],
    tags,
    paths,
    components: { schemas },
  });
}
