import { expect, test } from "vitest";
import { testRequest } from "#contracts/test-registry/requests.ts";
import type { Test } from "#contracts/test-registry/tests.ts";
import { runTest } from "./run-test.ts";
import type { OpenCapture, TestToRun } from "./test-to-run.ts";
import { createParts, toRun } from "./testing/parts.ts";

const { signal } = new AbortController();
const removal: Partial<Test> = {
  method: "delete",
  path: "/books/{bookId}",
  request: testRequest.parse({ pathParameters: [{ name: "bookId", value: "{{bookId}}" }] }),
};
const made: OpenCapture = { name: "bookId", isSecret: false, value: "7", madeAt: "http://api.test" };

async function remove(rest: Partial<TestToRun>, changes: Partial<Test> = removal) {
  const { parts, sent } = createParts(Array.from({ length: 5 }, () => ({ status: 200, body: "{}" })));
  const result = await runTest(parts, toRun(changes, { onlyOwn: {}, ...rest }), { signal });
  return { result, sent };
}

test("what the run made is removed", async () => {
  const { result, sent } = await remove({ captures: [made] });
  expect(result.verdict).toBe("passed");
  expect(sent.map(({ method, url }) => `${method} ${url}`)).toEqual(["DELETE http://api.test/books/7"]);
});

const others: [string, Partial<TestToRun>, string][] = [
  ["a variable", { findVariable: () => "7" }, "bookId comes from a variable."],
  ["a row before what was made", { captures: [made], row: { bookId: "7" } }, "bookId comes from the test's data."],
  [
    "a capture of a member that makes nothing",
    { captures: [{ name: "bookId", isSecret: false, value: "7" }] },
    "bookId was not captured from a response that created something new.",
  ],
  [
    "a later capture with the same value",
    { captures: [made, { name: "bookId", isSecret: false, value: "7" }] },
    "bookId was not captured from a response that created something new.",
  ],
  [
    "something made on another server",
    { captures: [made], baseUrls: ["http://live.test"] },
    "bookId was created at http://api.test, not at http://live.test.",
  ],
  ...["", " ", "null", "[]"].map((value): [string, Partial<TestToRun>, string] => [
    `a capture of ${JSON.stringify(value)}`,
    { captures: [{ ...made, value }] },
    "bookId was captured without a value.",
  ]),
];

test.each(others)("nothing is sent for %s", async (_, rest, why) => {
  const { result, sent } = await remove(rest);
  expect(sent).toEqual([]);
  expect(result).toMatchObject({
    verdict: "blocked",
    attemptCount: 1,
    cause: {
      code: "change_not_own",
      detail: `Not sent: DELETE /books/{bookId} would change a book that this run did not create. ${why}`,
    },
  });
});

test("a blocked test asks for no access token, and is not tried again", async () => {
  const { parts, sent } = createParts([]);
  let opened = 0;
  parts.openCredentials = async () => {
    opened += 1;
    return { items: [], refused: [] };
  };
  const retry = { attempts: 3, delayMilliseconds: 0, backoff: "fixed" } as const;
  const waitUntil = { everySeconds: 0.1, atMostSeconds: 1 };
  for (const changes of [
    { ...removal, retry },
    { ...removal, waitUntil },
  ]) {
    const { verdict, attemptCount } = await runTest(parts, toRun(changes, { onlyOwn: {}, findVariable: () => "7" }), {
      signal,
    });
    expect([verdict, attemptCount]).toEqual(["blocked", 1]);
  }
  expect([sent.length, opened]).toEqual([0, 0]);
});

test("what a user allowed, what makes something, and what changes nothing is sent", async () => {
  const given = { findVariable: () => "7" };
  const verdicts = await Promise.all([
    remove({ ...given, onlyOwn: { effect: "allowed" } }),
    remove({ ...given, onlyOwn: { effect: "makes" } }, { ...removal, method: "put" }),
    remove({ ...given, onlyOwn: {} }, { ...removal, method: "get" }),
    remove({ ...given, onlyOwn: undefined }),
    remove({ ...given, onlyOwn: { effect: "makes" } }),
  ]);
  expect(verdicts.map(({ result, sent }) => [result.verdict, sent.length])).toEqual([
    ...Array.from({ length: 4 }, () => ["passed", 1]),
    // A DELETE makes nothing, whatever its member says.
    ["blocked", 0],
  ]);
});

test("only captures of a response that made something are marked", async () => {
  const captures: Test["captures"] = [{ name: "bookId", source: "jsonPath", property: "$.id" }];
  const capture = async (status: number, onlyOwn: TestToRun["onlyOwn"]) => {
    const { parts } = createParts([{ status, body: '{"id":7}' }]);
    const result = await runTest(parts, toRun({ method: "post", path: "/books", captures }, { onlyOwn }), { signal });
    return result.captures[0]!.madeAt;
  };
  expect(await capture(201, { effect: "makes" })).toBe("http://api.test");
  expect(await capture(409, { effect: "makes" }), "it names what was there").toBeUndefined();
  expect(await capture(201, { effect: "allowed" })).toBeUndefined();
  expect(await capture(201, undefined)).toBeUndefined();
});

test("a tear-down whose resource was never made is skipped, without an attempt", async () => {
  const asked: object[] = [];
  const detail = "Nothing to remove: {{bookId}} was never created.";
  const explainNothingToDo: TestToRun["explainNothingToDo"] = async (missing) => {
    asked.push(missing);
    return missing.identifying.length > 0 ? { code: "nothing_to_remove", detail } : undefined;
  };
  const { result, sent } = await remove({ explainNothingToDo, onlyOwn: undefined });
  expect(sent).toEqual([]);
  expect(result).toMatchObject({
    ...{ verdict: "skipped", attempts: [], attemptCount: 0 },
    cause: { code: "nothing_to_remove", detail },
  });
  const request = testRequest.parse({ ...removal.request, headers: [{ name: "x-token", value: "{{token}}" }] });
  const withoutToken = await remove({ explainNothingToDo, captures: [made] }, { ...removal, request });
  expect(withoutToken.result.verdict, "the book is there").toBe("errored");
  expect(asked).toEqual([
    { all: ["bookId"], identifying: ["bookId"] },
    { all: ["token"], identifying: [] },
  ]);
});

test("an optional capture that found nothing clears an earlier value of its name", async () => {
  const { parts } = createParts([{ status: 200, body: "{}" }]);
  const captures = [
    { name: "bookId", source: "jsonPath" as const, property: "$[0].id", optional: true },
    { name: "other", source: "jsonPath" as const, property: "$.other" },
  ];
  const { captures: captured, verdict } = await runTest(parts, toRun({ captures }), { signal });
  expect(verdict).toBe("passed");
  expect(captured).toEqual([{ name: "bookId", isSecret: false, value: "", isAbsent: true }]);
  const { result, sent } = await remove({ captures: captured, findVariable: () => "7", onlyOwn: undefined });
  expect(result).toMatchObject({ verdict: "errored", cause: { code: "variable_missing" } });
  expect(sent).toEqual([]);
});
