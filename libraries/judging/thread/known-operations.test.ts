import { expect, test } from "vitest";
import { operationAnswering } from "../testing/items.ts";
import { KnownOperations } from "./known-operations.ts";

test("an operation's text is sent once, even when it was loaded again meanwhile", () => {
  const known = new KnownOperations();
  const first = known.mention(operationAnswering({ type: "object" }));
  expect(JSON.parse(first.operation?.text ?? "")).toEqual(operationAnswering({ type: "object" }));
  expect(known.mention(operationAnswering({ type: "object" })).operation).toEqual({ key: first.operation?.key });
  expect(known.mention(operationAnswering({ type: "array" })).operation?.text).toBeDefined();
});

test("the least recently used operation is forgotten, and its text is sent again when needed", () => {
  const known = new KnownOperations();
  const operations = Array.from({ length: 202 }, (_, index) => operationAnswering({ minProperties: index }));
  const mentions = operations.slice(0, 200).map((operation) => known.mention(operation));
  known.mention(operations[0]!);
  expect(known.mention(operations[200]!).forgotten).toEqual([mentions[1]!.operation?.key]);
  expect(known.mention(operations[0]!).operation?.text).toBeUndefined();
  expect(known.mention(operations[1]!).operation?.text).toBeDefined();
});
