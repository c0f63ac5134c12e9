import { expect, test } from "vitest";
import { RouteTable } from "#libraries/openapi/route-table.ts";
import { compareStates, findAnswered, findForeignChanges } from "../bench/made-suite/foreign-changes.ts";
import { type Executed, judgeExecution } from "../bench/made-suite/judged-executions.ts";
import type { Recorded } from "../bench/made-suite/recording-proxy.ts";

const templates = new RouteTable<string>();
for (const operation of ["get /todos", "post /todos", "patch /todos", "delete /todos/{id}", "put /todos/{id}"]) {
  const [method, path] = operation.split(" ") as [string, string];
  templates.add(method, path, operation);
}

function sent(method: string, path: string, parts: Partial<Recorded> = {}): Recorded {
  return { method, path: `/v1${path}`, body: "", status: 200, location: undefined, responseBody: "", ...parts };
}

const listForeign = (...requests: Recorded[]) => findForeignChanges(requests, templates, "/v1");

test("what the run made is its own, by the response, by Location or by the id that was sent", () => {
  const made = [
    sent("POST", "/todos", { body: '{"title":"a"}', responseBody: '{"data":{"id":7}}' }),
    sent("POST", "/todos", { status: 201, location: "/v1/todos/8" }),
    sent("PUT", "/todos/9", { status: 201 }),
  ];
  expect(listForeign(...made, ...[7, 8, 9].map((id) => sent("DELETE", `/todos/${id}`)))).toEqual([]);
});

test("what was there before is not, and a whole collection never is", () => {
  const others = [sent("DELETE", "/todos/1"), sent("PUT", "/todos/1"), sent("PATCH", "/todos?where=all")];
  expect(listForeign(...others)).toEqual(["DELETE /todos/1", "PUT /todos/1", "PATCH /todos"]);
});

test("a refused request changed nothing, and a refused POST made nothing", () => {
  const refused = sent("POST", "/todos", { status: 422, body: '{"id":1}' });
  expect(listForeign(refused, sent("DELETE", "/todos/2", { status: 404 }), sent("DELETE", "/todos/1"))).toEqual([
    "DELETE /todos/1",
  ]);
});

test("an operation counts as answered by a 2xx alone", () => {
  const requests = [sent("GET", "/todos"), sent("DELETE", "/todos/1", { status: 404 }), sent("GET", "/elsewhere")];
  expect([...findAnswered(requests, templates, "/v1")]).toEqual(["get /todos"]);
});

test("states are compared by name: changed and removed are the same, added is left behind", () => {
  const before = new Map(Object.entries({ a: "1", b: "2", c: "3" }));
  const after = new Map(Object.entries({ a: "1", b: "20", d: "4" }));
  expect(compareStates(before, after)).toEqual({ changed: ["b", "c"], left: ["d"] });
});

const status = (target: number) => ({
  ...{ kind: "assertion" as const, source: "statusCode", comparison: "equals", target, message: "" },
  ...{ outcome: "passed" as const, passed: true },
});
const schema = { ...status(200), kind: "check" as const, source: "response_schema_conformance" };

function executed(parts: Partial<Executed>): Executed {
  const passed = { verdict: "passed" as const, statusCode: 200, reason: null, bodyBytes: 10 };
  return { operation: "get /todos", ...passed, verifications: [status(200), schema], ...parts };
}

test.each<[string, Partial<Executed>, string]>([
  ["a pass of status and schema", {}, "meaningful"],
  ["a pass without a body", { statusCode: 204, bodyBytes: 0, verifications: [status(204)] }, "meaningful"],
  ["a pass of the status of a body alone", { verifications: [status(200)] }, "useless"],
  ["a 404 that was asked for", { statusCode: 404, verifications: [status(404)] }, "meaningful"],
  ["a 404 that was taken", { statusCode: 404, verifications: [schema] }, "useless"],
  ["a refused request", { verdict: "failed", statusCode: 422 }, "useless"],
  ["a server error", { verdict: "failed", statusCode: 500, reason: "got 500" }, "meaningful"],
  ["a violated schema", { verdict: "failed", reason: "$.price" }, "meaningful"],
  ["an error", { verdict: "errored", statusCode: null }, "useless"],
  [
    "one without a value to send",
    { verdict: "errored", statusCode: null, reason: "{{id}} has no value: member 1 failed" },
    "notRun",
  ],
  ["a blocked one", { verdict: "blocked", statusCode: null }, "notRun"],
])("%s", (_, parts, worth) => {
  expect(judgeExecution(executed(parts)).worth).toBe(worth);
});

test("a refusal that the server is known for is a true reason", () => {
  const failed = executed({ verdict: "failed", statusCode: 404, reason: "got 404" });
  const drift = { operation: "get /todos", reason: /404/, words: "no list" };
  expect(judgeExecution(failed, [drift])).toEqual({ worth: "meaningful", why: "known drift, no list: got 404" });
});
