import { expect, test } from "vitest";
import { refusalOfBody } from "./body-limit.ts";

const post = (headers: Record<string, string>) =>
  new Request("http://127.0.0.1/login", { method: "POST", headers, body: "" });
const mebibyte = 1_048_576;

test("W08: a visitor's form is small, a viewer's may contain a document", () => {
  const getStatus = (bytes: number, signedIn: boolean) =>
    refusalOfBody(post({ "content-length": String(bytes) }), signedIn)?.status;
  expect(getStatus(64 * 1024, false)).toBe(undefined);
  expect(getStatus(64 * 1024 + 1, false)).toBe(413);
  expect(getStatus(66 * mebibyte, true)).toBe(undefined);
  expect(getStatus(81 * mebibyte, true)).toBe(413);
});

test("W08: a body of unknown length is not read", () => {
  expect(refusalOfBody(post({ "transfer-encoding": "chunked" }), true)?.status).toBe(411);
});

test("a request without a body needs no length", () => {
  expect(refusalOfBody(post({}), false)).toBe(undefined);
  expect(refusalOfBody(new Request("http://127.0.0.1/"), false)).toBe(undefined);
});
