import { afterAll, expect, test } from "vitest";
import type { Judgement } from "#contracts/test-analyzer/verifications.ts";
import { createJudging } from "./judging.ts";
import { itemWith, operationAnswering } from "./testing/items.ts";

const judging = createJudging();
afterAll(() => judging.stop());

async function judgeOne(item: ReturnType<typeof itemWith>, operation?: ReturnType<typeof operationAnswering>) {
  const [judgement] = await judging.judgeAll([{ item, operation }]);
  return judgement as Judgement;
}

test("schemas, patterns and queries are judged in the thread", async () => {
  const operation = operationAnswering({ type: "object", required: ["id"] });
  const item = itemWith({
    response: { json: { items: [{ id: 7, name: "Rex" }] } },
    assertions: [
      { source: "jsonPath", property: "$.items[?@.id == 7].name", comparison: "equals", target: "Rex" },
      { source: "jsonPath", property: "$.items[0].name", comparison: "matches", target: "^R" },
    ],
    checks: ["response_schema_conformance"],
  });
  const judgement = await judgeOne(item, operation);
  expect(judgement.verifications.map((one) => one.outcome)).toEqual(["passed", "passed", "failed"]);
  expect(judgement.verifications[2]?.message).toBe(
    'The body is not as its schema describes. $: the required member "id" is missing.',
  );
});

/** Judging it compares every item with every other. */
const bomb = { type: "array", uniqueItems: true };
const manyItems = Array.from({ length: 60_000 }, (_, index) => ({ index }));

test("H11: an evaluation that takes too long is stopped, the others of the test and of the batch are judged", async () => {
  const hostile = itemWith({
    response: { json: manyItems },
    assertions: [
      { source: "statusCode", comparison: "equals", target: 200 },
      { source: "schema", comparison: "matchesSchema", target: bomb },
      { source: "jsonPath", property: "$[59999].index", comparison: "equals", target: 59_999 },
    ],
  });
  const harmless = itemWith({
    response: { json: { a: "x" } },
    assertions: [{ source: "jsonPath", property: "$.a", comparison: "matches", target: "x" }],
  });
  const judgements = await judging.judgeAll(
    [harmless, hostile, harmless].map((item) => ({ item, operation: undefined })),
  );
  expect(judgements.map((judgement) => judgement.verdict)).toEqual(["passed", "errored", "passed"]);
  expect(judgements[1]?.verifications.map((one) => one.outcome)).toEqual(["passed", "errored", "passed"]);
  expect(judgements[1]?.verifications[1]?.message).toBe(
    "This took more than 250 ms, or more memory than there is, and was stopped.",
  );
  expect(judgements[1]?.cause).toMatchObject({ code: "too_costly" });
});

test("H11: a test made of such evaluations only is given up after a few", async () => {
  const assertion = { source: "schema" as const, comparison: "matchesSchema" as const, target: bomb };
  const judgement = await judgeOne(
    itemWith({ response: { json: manyItems }, assertions: Array.from({ length: 50 }, () => assertion) }),
  );
  expect(judgement.verifications).toHaveLength(50);
  expect(judgement.verifications.every((one) => one.outcome === "errored")).toBe(true);
});

test("H11: a query that eats memory is stopped, and the next test is judged", async () => {
  const deep = JSON.parse(`${'{"a":['.repeat(200)}1${"]}".repeat(200)}`) as unknown;
  const judgement = await judgeOne(
    itemWith({
      response: { json: deep },
      assertions: [{ source: "jsonPath", property: "$..*..*..*..*", comparison: "exists" }],
    }),
  );
  expect(judgement.verifications[0]?.outcome).toBe("errored");
  expect(
    (await judgeOne(itemWith({ assertions: [{ source: "body", comparison: "matches", target: "{" }] }))).verdict,
  ).toBe("passed");
});

test("H10: an answer of a million keys is told of or judged", async () => {
  const members = Array.from({ length: 1_000_000 }, (_, index) => `"key${index}":${index}`);
  const item = itemWith({
    response: { body: `{${members.join(",")}}` },
    assertions: [
      { source: "statusCode", comparison: "equals", target: 200 },
      { source: "jsonPath", property: "$.key7", comparison: "equals", target: 7 },
    ],
  });
  await judgeOne(itemWith({ assertions: [{ source: "body", comparison: "matches", target: "{" }] }));
  const judgement = await judgeOne(item);
  expect(judgement.verifications.map((one) => one.outcome)).toEqual(["passed", "errored"]);
});

test("many batches at once share the threads and all come back", async () => {
  const item = itemWith({
    response: { json: { a: "x" } },
    assertions: [{ source: "jsonPath", property: "$.a", comparison: "matches", target: "x" }],
  });
  const batches = await Promise.all(
    Array.from({ length: 20 }, () =>
      judging.judgeAll(Array.from({ length: 10 }, () => ({ item, operation: undefined }))),
    ),
  );
  expect(batches.flat().filter((judgement) => judgement.verdict === "passed")).toHaveLength(200);
});
