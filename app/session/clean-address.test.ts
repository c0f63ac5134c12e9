import { expect, test } from "vitest";
import { withoutEmptyParameters } from "./clean-address.ts";

const clean = (path: string) => withoutEmptyParameters(`https://portal.example.com${path}`);

test("an address loses the parameters of fields that were left empty, and nothing else", () => {
  expect(clean("/tests?query=&method=get&tag=&verdict=")).toBe("/tests?method=get");
  expect(clean("/tests?query=&tag=")).toBe("/tests");
  expect(clean("/tests?query=a%20b&name=x=&y==")).toBeUndefined();
});

test("a flag stays, and so does an address without empty parameters", () => {
  expect(clean("/contact?sent")).toBeUndefined();
  expect(clean("/contact")).toBeUndefined();
  expect(clean("/contact?sent&query=")).toBe("/contact?sent");
});

test("the reference lists operations without a tag by an empty one", () => {
  expect(clean("/api-management/1/swagger/operations?tag=&open=")).toBeUndefined();
});
