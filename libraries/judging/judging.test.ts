import { afterAll, expect, test } from "vitest";
import { createJudging } from "./judging.ts";
import { itemWith, operationAnswering } from "./testing/items.ts";

const judging = createJudging();
afterAll(() => judging.stop());

/** Cheap, but judged in the thread anyway. */
const harmless = itemWith({
  response: { json: { a: "x" } },
  assertions: [{ source: "jsonPath", property: "$..a", comparison: "contains", target: "x" }],
});

async function judgeOne(item: ReturnType<typeof itemWith>, operation?: ReturnType<typeof operationAnswering>) {
  return await judging.judge({ item, operation });
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

test("an XPath is judged in the thread, and one that takes too long is stopped", async () => {
  const items = "<i><a>1</a></i>".repeat(5_000);
  const judgement = await judgeOne(
    itemWith({
      response: { body: `<r>${items}</r>`, headers: [["Content-Type", "application/xml"]] },
      assertions: [
        { source: "xPath", property: "count(//i)", comparison: "equals", target: 5_000 },
        { source: "xPath", property: "count(//i[count(//a[. = 1]) > 0])", comparison: "exists" },
        { source: "xPath", property: "/r/i[1]/a", comparison: "equals", target: "1" },
      ],
    }),
  );
  expect(judgement.verifications.map((one) => one.outcome)).toEqual(["passed", "errored", "passed"]);
});

/** Judging it compares every item with every value of a long list. */
const bomb = { type: "array", items: { enum: Array.from({ length: 2_000 }, (_, index) => ({ index: -1 - index })) } };
const manyItems = Array.from({ length: 60_000 }, (_, index) => ({ index }));

test("H11: an evaluation that takes too long is stopped, and the others of the test and of the batch are judged", async () => {
  const hostile = itemWith({
    response: { json: manyItems },
    assertions: [
      { source: "statusCode", comparison: "equals", target: 200 },
      { source: "schema", comparison: "matchesSchema", target: bomb },
      { source: "jsonPath", property: "$[59999].index", comparison: "equals", target: 59_999 },
    ],
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

test("H11: a test with only such evaluations is abandoned after a few", async () => {
  const assertion = { source: "schema" as const, comparison: "matchesSchema" as const, target: bomb };
  const judgement = await judgeOne(
    itemWith({ response: { json: manyItems }, assertions: Array.from({ length: 50 }, () => assertion) }),
  );
  expect(judgement.verifications).toHaveLength(50);
  expect(judgement.verifications.every((one) => one.outcome === "errored")).toBe(true);
});

test("H11: a query that exhausts memory is stopped, and the next test is judged", async () => {
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

test("H10: a response with a million keys is judged or refused with a reason", async () => {
  const members = Array.from({ length: 1_000_000 }, (_, index) => `"key${index}":${index}`);
  const item = itemWith({
    response: { body: `{${members.join(",")}}` },
    assertions: [
      { source: "statusCode", comparison: "equals", target: 200 },
      { source: "jsonPath", property: "$.key7", comparison: "equals", target: 7 },
    ],
  });
  const [first, second] = (await judgeOne(item)).verifications;
  expect(first?.outcome).toBe("passed");
  expect(second?.message).toMatch(/stopped|found 7/);
});

const pets = Array.from({ length: 120_000 }, (_, id) => ({
  id,
  name: `pet ${id}`,
  token: id === 119_999 ? "s3cretToken" : "",
}));
const wholeText = JSON.stringify({ items: pets, last: "ü" });

/** A response of several MiB of which the beginning is stored. */
function largeItem(changes: Parameters<typeof itemWith>[0] = {}) {
  const bytes = Buffer.from(wholeText);
  const whole = new Uint8Array(new SharedArrayBuffer(bytes.length));
  whole.set(bytes);
  const response = { body: wholeText.slice(0, 1_000), bodyBytes: bytes.length, keptBytes: 1_000 };
  return { ...itemWith({ response, ...changes }), whole };
}

test("of a large body all is judged and captured, also beyond what is stored, and several wait for each other", async () => {
  const item = largeItem({
    assertions: [
      { source: "jsonPath", property: "$.items[119999].id", comparison: "equals", target: 119_999 },
      { source: "body", comparison: "endsWith", target: '"last":"ü"}' },
      { source: "bodySize", comparison: "equals", target: Buffer.byteLength(wholeText) },
      { source: "jsonPath", property: "$.items[119999].token", comparison: "equals", target: "other" },
    ],
    checks: ["response_schema_conformance"],
    captures: [{ name: "token", source: "jsonPath", property: "$.items[119999].token", secret: true }],
  });
  const operation = operationAnswering({ type: "object", required: ["items", "last"] });
  const judgements = await judging.judgeAll([item, item, item].map((one) => ({ item: one, operation })));
  for (const { verifications, captured } of judgements) {
    expect(verifications.map((one) => one.outcome)).toEqual(["passed", "passed", "passed", "failed", "passed"]);
    expect(captured).toEqual({ token: "s3cretToken" });
    expect(JSON.stringify(verifications)).not.toContain("s3cretToken");
  }
});

test("H11: an evaluation of a large body may take in proportion to its size, and no longer", async () => {
  const assertion = {
    source: "schema" as const,
    comparison: "matchesSchema" as const,
    target: { properties: { items: bomb } },
  };
  const { verifications } = await judgeOne(largeItem({ assertions: [assertion] }));
  const limit = Math.ceil((250 * Buffer.byteLength(wholeText)) / 1_048_576).toLocaleString("en");
  expect(verifications[0]?.message).toBe(
    `This took more than ${limit} ms, or more memory than there is, and was stopped.`,
  );
});

test("many concurrent batches share the thread and all return", async () => {
  const batches = await Promise.all(
    Array.from({ length: 20 }, () =>
      judging.judgeAll(Array.from({ length: 10 }, () => ({ item: harmless, operation: undefined }))),
    ),
  );
  expect(batches.flat().filter((judgement) => judgement.verdict === "passed")).toHaveLength(200);
});

test("H11: an owner whose evaluations are stopped repeatedly does not delay another owner", async () => {
  const assertion = { source: "schema" as const, comparison: "matchesSchema" as const, target: bomb };
  const hostile = itemWith({ response: { json: manyItems }, assertions: [assertion] });
  const ended: string[] = [];
  const judgeFor = async (owner: string, item: typeof hostile) => {
    const { verdict } = await judging.judge({ item, operation: undefined, owner });
    ended.push(`${owner} ${verdict}`);
  };
  await Promise.all([...[1, 2, 3].map(() => judgeFor("one", hostile)), judgeFor("other", harmless)]);
  expect(ended).toEqual(["other passed", "one errored", "one errored", "one errored"]);
});

test("the sent body is not needed to judge, and secrets that were sent are not displayed", async () => {
  const item = itemWith({
    request: { body: "much", bodyBytes: 4 },
    response: { json: { token: "correct horse battery" } },
    assertions: [{ source: "jsonPath", property: "$..token", comparison: "contains", target: "another" }],
    checks: ["unsupported_method"],
  });
  const secrets = [{ secret: "correct horse battery" }];
  const { verifications } = await judging.judge({ item: { ...item, secrets }, operation: undefined });
  expect(verifications.map(({ outcome }) => outcome)).toEqual(["failed", "failed"]);
  expect(verifications[0]?.actual).toEqual(["[secret]"]);
});

test("items not yet judged at a stop are rejected, and later ones are judged", async () => {
  const ending = createJudging();
  const judged = ending.judge({ item: harmless, operation: undefined });
  ending.stop();
  await expect(judged).rejects.toThrow("stopped");
  expect((await ending.judge({ item: harmless, operation: undefined })).verdict).toBe("passed");
  ending.stop();
});
