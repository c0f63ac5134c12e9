import { expect, test } from "vitest";
import { changedRow } from "./row-change.ts";

test("after a row was added without script, the focus is in the new row", () => {
  const result = {
    intent: { type: "insert" as const, payload: { name: "request.headers" } },
    initialValue: { request: { headers: [{ name: "Accept" }, undefined] } },
  };
  expect(changedRow(result as never)).toBe("request.headers[1]");
});

test("after a row was removed without script, the focus is at its list", () => {
  expect(changedRow({ intent: { type: "remove", payload: { name: "captures", index: 0 } } } as never)).toBe("captures");
});

test("a page loaded for another reason does not move the focus", () => {
  expect(changedRow(undefined)).toBeUndefined();
  expect(changedRow({ status: "error" })).toBeUndefined();
});
