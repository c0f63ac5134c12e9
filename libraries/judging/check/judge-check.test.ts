import { expect, test } from "vitest";
import type { OperationWithComponents } from "#contracts/api-registry/operations.ts";
import type { CheckName } from "#contracts/test-registry/assertions.ts";
import { JudgedResponse } from "../judged-response.ts";
import { createAjvValidator } from "../schema/ajv-validator.ts";
import { itemWith, operationAnswering, operationWith, responseDocumented } from "../testing/items.ts";
import { judgeCheck } from "./judge-check.ts";

const validator = createAjvValidator();
type Changes = Parameters<typeof itemWith>[0];

function judge(name: CheckName, changes: Changes = {}, operation?: OperationWithComponents) {
  return judgeCheck(name, new JudgedResponse(itemWith(changes), operation), validator);
}

function judgeStatus(name: CheckName, status: number, operation?: OperationWithComponents) {
  return judge(name, { response: { status } }, operation).outcome;
}

const documented = (...statuses: string[]) =>
  operationWith({ responses: statuses.map((status) => responseDocumented(status)) });

test("a server error is a status of 500 or more", () => {
  expect([200, 404, 499, 500, 503, 599].map((status) => judgeStatus("not_a_server_error", status))).toEqual([
    ...["passed", "passed", "passed"],
    ...["failed", "failed", "failed"],
  ]);
});

test.each<[string[], number, string]>([
  [["200"], 200, "passed"],
  [["200"], 201, "failed"],
  [["2XX"], 299, "passed"],
  [["2xx"], 204, "passed"],
  [["2XX"], 300, "failed"],
  [["200", "default"], 500, "passed"],
  [[], 200, "skipped"],
])("documented %j, got %i: %s", (statuses, status, outcome) => {
  expect(judgeStatus("status_code_conformance", status, documented(...statuses))).toBe(outcome);
});

test("an undocumented status is reported with the documented ones", () => {
  expect(judge("status_code_conformance", { response: { status: 418 } }, documented("200", "4XX"))).toMatchObject({
    outcome: "passed",
  });
  expect(judge("status_code_conformance", { response: { status: 500 } }, documented("200", "4XX")).message).toBe(
    "Expected a documented status (200, 4XX), got 500.",
  );
});

const offering = (...mediaTypes: string[]) =>
  operationWith({
    responses: [responseDocumented("200", { content: mediaTypes.map((mediaType) => ({ mediaType, examples: [] })) })],
  });

test.each<[string[], string | undefined, string]>([
  [["application/json"], "application/json", "passed"],
  [["application/json"], "APPLICATION/JSON; charset=utf-8", "passed"],
  [["application/json; charset=utf-8"], "application/json", "passed"],
  [["application/json; charset=utf-8"], "application/json;charset=latin1", "failed"],
  [["application/json; version=1"], "application/json; version=2", "failed"],
  [["application/json; version=1"], "application/json", "failed"],
  [["application/json"], "text/html", "failed"],
  [["application/json"], undefined, "failed"],
  [["image/*"], "image/png", "passed"],
  [["*/*"], "text/html", "passed"],
  [["application/*+json"], "application/problem+json", "passed"],
  [["text/plain", "application/xml"], "application/xml", "passed"],
  [["application/json"], "nonsense", "failed"],
  [[], "text/html", "skipped"],
])("documented %j, received %s: %s", (mediaTypes, came, outcome) => {
  const headers: [string, string][] = came === undefined ? [] : [["content-type", came]];
  expect(judge("content_type_conformance", { response: { headers } }, offering(...mediaTypes)).outcome).toBe(outcome);
});

test("a response that never has a body needs no content type", () => {
  const operation = offering("application/json");
  const response = { headers: [], body: "" };
  expect(judge("content_type_conformance", { response, request: { method: "HEAD" } }, operation).outcome).toBe(
    "skipped",
  );
});

const withHeaders = operationWith(
  {
    responses: [
      responseDocumented("200", {
        headers: [
          { name: "X-Rate-Limit", required: true, description: "", schema: { type: "integer", maximum: 100 } },
          { name: "X-Ids", required: false, description: "", schema: { $ref: "#/components/schemas/Ids" } },
          { name: "Content-Type", required: true, description: "", schema: { const: "never" } },
        ],
      }),
    ],
  },
  { components: { "#/components/schemas/Ids": { type: "array", items: { type: "integer" } } } },
);

test.each<[[string, string][], string, string | undefined]>([
  [[["x-rate-limit", "7"]], "passed", undefined],
  [
    [
      ["x-rate-limit", "7"],
      ["x-ids", "1, 2,3"],
    ],
    "passed",
    undefined,
  ],
  [[], "failed", "The required header X-Rate-Limit is missing."],
  [[["x-rate-limit", "many"]], "failed", 'Header X-Rate-Limit: expected a whole number, found "many" (a string).'],
  [[["x-rate-limit", "101"]], "failed", "Header X-Rate-Limit: expected a number of at most 100, found 101."],
  [
    [
      ["x-rate-limit", "1"],
      ["x-ids", "1,b"],
    ],
    "failed",
    'Header X-Ids[1]: expected a whole number, found "b" (a string).',
  ],
])("headers %j: %s", (headers, outcome, message) => {
  const judged = judge("response_headers_conformance", { response: { headers } }, withHeaders);
  expect(judged.outcome).toBe(outcome);
  if (message) expect(judged.message).toBe(message);
});

const pet = operationAnswering({ type: "object", required: ["id"], properties: { id: { type: "integer" } } });

test("a JSON body is judged by the documented schema, and the location of the schema is reported", () => {
  expect(judge("response_schema_conformance", { response: { json: { id: 1 } } }, pet).outcome).toBe("passed");
  const failed = judge("response_schema_conformance", { response: { json: { id: "1" } } }, pet);
  expect(failed).toMatchObject({
    outcome: "failed",
    message: 'The body is not as its schema describes. $.id: expected a whole number, found "1" (a string).',
    pointer: "/id",
    schema: { type: "object" },
    schemaErrors: [
      {
        pointer: "/id",
        schemaPointer: "#/paths/~1pets/get/responses/200/content/application~1json/schema/properties/id/type",
        expected: "integer",
        actual: "1",
      },
    ],
  });
});

test.each<[Changes, string]>([
  [{ response: { body: "{" } }, "failed"],
  [{ response: { body: "" } }, "failed"],
  [{ response: { status: 404 } }, "skipped"],
  [{ response: { headers: [["content-type", "text/html"]] } }, "skipped"],
  [{ response: { body: "" }, request: { method: "HEAD" } }, "skipped"],
  [{ response: { truncated: true } }, "errored"],
])("the schema check of %j is %s", (changes, outcome) => {
  expect(judge("response_schema_conformance", changes, pet).outcome).toBe(outcome);
});

test("invalid data is expected to be refused with 4xx, valid data to be accepted with 2xx", () => {
  const statuses = [200, 302, 400, 422, 500];
  expect(statuses.map((status) => judgeStatus("negative_data_rejection", status))).toEqual([
    ...["failed", "failed"],
    ...["passed", "passed"],
    "failed",
  ]);
  expect(statuses.map((status) => judgeStatus("positive_data_acceptance", status))).toEqual([
    "passed",
    ...["failed", "failed", "failed", "failed"],
  ]);
});

const needsKey = operationWith({
  parameters: [
    ...["X-Tenant", "Accept"].map((name) => ({
      name,
      in: "header" as const,
      required: true,
      deprecated: false,
      description: "",
      style: "simple" as const,
      explode: false,
      allowReserved: false,
      examples: [],
    })),
  ],
  security: [[{ schemeName: "key", scopes: [] }]],
});

test("a request without a required header has to be refused", () => {
  expect(judgeStatus("missing_required_header", 400, needsKey)).toBe("passed");
  expect(judge("missing_required_header", { response: { status: 200 } }, needsKey).message).toBe(
    "Expected a status from 400 to 499, since the required header X-Tenant was not sent, got 200.",
  );
  const sent: Changes = { request: { headers: [["x-tenant", "a"]] } };
  expect(judge("missing_required_header", sent, needsKey)).toMatchObject({ outcome: "skipped" });
});

test("an undocumented method has to be refused with 405 and Allow", () => {
  const allow: [string, string][] = [["Allow", "GET"]];
  expect(judge("unsupported_method", { response: { status: 405, headers: allow } }).outcome).toBe("passed");
  expect(judge("unsupported_method", { response: { status: 405, headers: [] } }).outcome).toBe("failed");
  expect(judge("unsupported_method", { response: { status: 404, headers: allow } }).outcome).toBe("failed");
  expect(judge("unsupported_method", { response: { status: 405, headers: allow } }, pet).outcome).toBe("skipped");
});

test("an operation that requires credentials has to refuse a request without them", () => {
  expect(judgeStatus("ignored_auth", 401, needsKey)).toBe("passed");
  expect(judgeStatus("ignored_auth", 403, needsKey)).toBe("passed");
  expect(judgeStatus("ignored_auth", 200, needsKey)).toBe("failed");
  expect(judge("ignored_auth", { authorized: true }, needsKey).message).toBe("The request carried credentials.");
  const optional = operationWith({ security: [[], [{ schemeName: "key", scopes: [] }]] });
  expect(judgeStatus("ignored_auth", 200, optional)).toBe("skipped");
});

test("a response has to arrive within the given time", () => {
  expect(judge("max_response_time", { maximumResponseMilliseconds: 120 }).outcome).toBe("passed");
  expect(judge("max_response_time", { maximumResponseMilliseconds: 119 }).message).toBe(
    "Expected a response within 119 ms, it took 120 ms.",
  );
  expect(judge("max_response_time").outcome).toBe("errored");
});

test("checks that compare with the document are skipped without it", () => {
  const names: CheckName[] = [
    ...(["status_code_conformance", "content_type_conformance", "response_headers_conformance"] as const),
    ...(["response_schema_conformance", "missing_required_header", "ignored_auth"] as const),
  ];
  expect(names.map((name) => judge(name).outcome)).toEqual(names.map(() => "skipped"));
});
