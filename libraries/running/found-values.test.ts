import { expect, test } from "vitest";
import { testRequest } from "#contracts/test-registry/requests.ts";
import type { Test } from "#contracts/test-registry/tests.ts";
import { runTest } from "./run-test.ts";
import type { OpenCapture, TestToRun } from "./test-to-run.ts";
import { createParts, toRun } from "./testing/parts.ts";

const { signal } = new AbortController();
const seven: OpenCapture = { name: "bookId", isSecret: false, value: "7", type: "json", madeAt: "http://api.test" };
const body = (text: string): Partial<Test> => ({
  method: "post",
  request: testRequest.parse({ body: { kind: "json", text } }),
});

async function run(changes: Partial<Test>, rest: Partial<TestToRun>) {
  const { parts, sent } = createParts([{ status: 200, body: "{}" }]);
  const result = await runTest(parts, toRun(changes, rest), { signal });
  return { result, sent: sent[0] };
}

test("a row's value uses captures, variables and generated values", async () => {
  const rest = {
    captures: [seven],
    row: { id: "{{bookId}}", title: "Book {{bookId}} of {{shop}}", at: "{{$timestamp}}", plain: "1" },
    findVariable: (name: string) => (name === "shop" ? "Corner" : undefined),
  };
  const { sent } = await run(body('{"id":{{id}},"title":"{{title}}","at":{{at}},"plain":{{plain}}}'), rest);
  expect(String(sent!.body)).toBe('{"id":7,"title":"Book 7 of Corner","at":1773144000,"plain":1}');
});

test("a row's value never refers to its row: its own name is the capture's", async () => {
  const rest = { captures: [seven], row: { bookId: "{{bookId}}", other: "{{bookId}}" } };
  expect(String((await run(body("[{{bookId}},{{other}}]"), rest)).sent!.body)).toBe("[7,7]");
  const { result, sent } = await run(body("{{a}}"), { row: { a: "{{b}}", b: "{{a}}" } });
  expect(sent).toBeUndefined();
  expect(result).toMatchObject({ verdict: "errored", cause: { code: "variable_missing" } });
});

test("a row whose value uses what an optional capture did not find is skipped", async () => {
  const absent = { ...seven, value: "", isAbsent: true };
  const asked: object[] = [];
  const explainNothingToDo: TestToRun["explainNothingToDo"] = async (missing) => {
    asked.push(missing);
    return { code: "nothing_to_use", detail: "{{bookId}} has no value." };
  };
  const { result, sent } = await run(body("{{id}}"), {
    ...{ captures: [absent], row: { id: "{{bookId}}" }, findVariable: () => "1", explainNothingToDo },
  });
  expect(sent).toBeUndefined();
  expect(result).toMatchObject({ verdict: "skipped", cause: { code: "nothing_to_use" } });
  expect(asked).toEqual([{ all: ["bookId"], identifying: ["bookId"] }]);
  expect(
    (await run(body("1"), { captures: [absent], row: { id: "{{bookId}}" } })).sent,
    "it is not used",
  ).toBeDefined();
});

test("a row's value that is one whole capture identifies what the run made, and no other does", async () => {
  const removal: Partial<Test> = {
    method: "delete",
    path: "/books/{id}",
    request: testRequest.parse({ pathParameters: [{ name: "id", value: "{{id}}" }] }),
  };
  const remove = async (id: string) => await run(removal, { captures: [seven], row: { id }, onlyOwn: {} });
  expect((await remove("{{bookId}}")).sent?.url).toBe("http://api.test/books/7");
  for (const id of ["7", "1{{bookId}}", "{{bookId}}{{bookId}}"]) {
    const { result, sent } = await remove(id);
    expect(sent, id).toBeUndefined();
    expect(result.cause?.detail).toMatch(/id comes from the test's data\.$/);
  }
});

test("a secret that a row uses is hidden in what is shown", async () => {
  const secret: OpenCapture = { name: "token", isSecret: true, value: "canary-7f3a9c" };
  const assertions = [{ source: "jsonPath" as const, property: "$['{{key}}']", comparison: "exists" as const }];
  const { result, sent } = await run(
    { ...body('"{{key}}"'), assertions },
    { captures: [secret], row: { key: "{{token}}" } },
  );
  expect(String(sent!.body)).toContain(secret.value);
  expect(JSON.stringify([result.attempts, result.verifications])).not.toContain(secret.value);
});
