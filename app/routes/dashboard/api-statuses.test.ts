import { expect, test } from "vitest";
import { type ApiStatus, sortByStatus } from "./api-statuses";

function apiStatus(name: string, failingSince: string | null): ApiStatus {
  return { api: { name }, testCount: 1, executions: { failingSince } } as ApiStatus;
}

test("failing APIs come first, the most recent failure before others, and the rest keep their order", () => {
  const sorted = sortByStatus([
    apiStatus("b", null),
    apiStatus("long", "2026-01-01T00:00:00.000Z"),
    apiStatus("a", null),
    apiStatus("new", "2026-02-01T00:00:00.000Z"),
    { ...apiStatus("unknown", null), executions: undefined },
  ]);
  expect(sorted.map(({ api }) => api.name)).toEqual(["new", "long", "b", "a", "unknown"]);
});
