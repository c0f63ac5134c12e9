import { expect, test } from "vitest";
import { changedRow } from "./row-change.ts";

test("a page that came back with one row more puts the reader into it", () => {
  const result = {
    intent: { type: "insert" as const, payload: { name: "request.headers" } },
    initialValue: { request: { headers: [{ name: "Accept" }, undefined] } },
  };
  expect(changedRow(result as never)).toBe("request.headers[1]");
});

test("a page that came back with one row less puts the reader to its list", () => {
  expect(changedRow({ intent: { type: "remove", payload: { name: "captures", index: 0 } } } as never)).toBe("captures");
});

test("a page that came back for another reason moves nobody", () => {
  expect(changedRow(undefined)).toBeUndefined();
  expect(changedRow({ status: "error" })).toBeUndefined();
});
