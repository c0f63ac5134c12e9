import { expect, test } from "vitest";
import { operationWith } from "#libraries/judging/testing/items.ts";
import { coverOperation, type LastResponse } from "./coverage.ts";

function operation(...responseStatuses: string[]) {
  return operationWith({ responseStatuses }).operation;
}

function lastResponse(status: number, finishedAt = "2026-01-01T00:00:00.000Z"): LastResponse {
  return { status, verdict: "passed", executionId: `e${status}`, testId: "t", finishedAt, superseded: false };
}

test("a status counts for the most specific documented response", () => {
  const covered = coverOperation(operation("404", "4XX", "default"), [
    lastResponse(404),
    lastResponse(410),
    lastResponse(500),
  ]);
  expect(covered.responses.map((response) => [response.status, response.executionId])).toEqual([
    ["404", "e404"],
    ["4XX", "e410"],
    ["default", "e500"],
  ]);
  expect(covered.undocumented).toEqual([]);
});

test("of several statuses in one range the last response counts", () => {
  const covered = coverOperation(operation("4xx"), [
    lastResponse(410, "2026-01-03T00:00:00.000Z"),
    lastResponse(404, "2026-01-05T00:00:00.000Z"),
    lastResponse(422, "2026-01-04T00:00:00.000Z"),
  ]);
  expect(covered.responses[0]?.executionId).toBe("e404");
});

test("undocumented responses are listed separately", () => {
  expect(coverOperation(operation("200"), [lastResponse(418)])).toMatchObject({
    responses: [{ status: "200", verdict: null }],
    undocumented: [{ status: "418", verdict: "passed" }],
  });
});
