import { expect, test } from "vitest";
import { rankOperations } from "./operation-rank.ts";

const operation = (path: string, p95: number | null, flakiness = 0, executions = 1) => ({
  apiId: "a",
  method: "get",
  ...{ path, p95, flakiness, executions },
});
const getPaths = (operations: { path: string }[]) => operations.map(({ path }) => path);

test("the five worst are named; one without responses is not slow, one that never changed is not flaky", () => {
  const slow = [3, 1, 7, 5, 2, 6].map((p95) => operation(`/${p95}`, p95));
  const ranks = rankOperations([
    ...slow,
    operation("/away", null),
    operation("/rare", 1, 0.5),
    operation("/often", 1, 0.5, 9),
  ]);
  expect(getPaths(ranks.slowest)).toEqual(["/7", "/6", "/5", "/3", "/2"]);
  expect(getPaths(ranks.flakiest)).toEqual(["/often", "/rare"]);
});
