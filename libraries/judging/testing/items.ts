import type { OperationWithComponents } from "#contracts/api-registry/operations.ts";
import type { JudgeInput } from "#contracts/test-analyzer/verifications.ts";
import { judgeInput } from "#contracts/test-analyzer/verifications.ts";

type Response = JudgeInput["response"];

export const apiId = "0190a000-0000-7000-8000-000000000001";

/** A complete response, with JSON by default. */
export function responseWith(changes: Partial<Response> & { json?: unknown } = {}): Response {
  const { json, ...rest } = changes;
  const body = "body" in rest ? (rest.body ?? null) : JSON.stringify(json ?? {});
  return {
    url: "http://api.test/pets",
    status: 200,
    statusText: "OK",
    httpVersion: "1.1",
    headers: [["Content-Type", "application/json"]],
    body,
    bodyBytes: body === null ? 0 : Buffer.byteLength(body),
    truncated: false,
    redirects: [],
    ...rest,
  };
}

type Changes = Partial<Omit<JudgeInput, "response" | "request">> & {
  response?: Parameters<typeof responseWith>[0];
  request?: Partial<JudgeInput["request"]>;
};

/** An item to judge: a GET answered in 120 ms. */
export function itemWith({ response, request, ...changes }: Changes = {}): JudgeInput {
  return judgeInput.parse({
    request: { method: "GET", url: "http://api.test/pets", headers: [], body: null, bodyBytes: 0, ...request },
    response: responseWith(response),
    phases: { blocked: 0, dns: 0, connect: 1, tls: 0, send: 0, wait: 118, receive: 1, total: 120 },
    ...changes,
  });
}

type Operation = OperationWithComponents["operation"];

/** A documented operation that answers 200 with JSON, with these changes. */
export function operationWith(
  changes: Partial<Operation> = {},
  rest: Partial<Omit<OperationWithComponents, "operation">> = {},
): OperationWithComponents {
  const schema = { type: "object" };
  return {
    apiId,
    specificationVersion: "3.1",
    components: {},
    securitySchemes: [],
    ...rest,
    operation: {
      operationId: "listPets",
      path: "/pets",
      method: "get",
      summary: "Lists pets",
      tag: "",
      tags: [],
      deprecated: false,
      responseStatuses: ["200"],
      description: "",
      servers: [],
      parameters: [],
      responses: [responseDocumented("200", { content: [{ mediaType: "application/json", schema, examples: [] }] })],
      security: [],
      callbacks: [],
      ...changes,
    },
  };
}

type DocumentedResponse = Operation["responses"][number];

export function responseDocumented(status: string, changes: Partial<DocumentedResponse> = {}): DocumentedResponse {
  return { status, description: "", headers: [], content: [], links: [], ...changes };
}

/** An operation whose 200 response is JSON with this schema. */
export function operationAnswering(
  schema: Record<string, unknown> | boolean,
  rest: Partial<Omit<OperationWithComponents, "operation">> = {},
): OperationWithComponents {
  const content = [{ mediaType: "application/json", schema, examples: [] }];
  return operationWith({ responses: [responseDocumented("200", { content })] }, rest);
}
