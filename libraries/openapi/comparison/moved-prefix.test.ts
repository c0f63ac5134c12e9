import { expect, test } from "vitest";
import { findMovedPrefix, getMovedPrefix, moveBaseUrl } from "./moved-prefix.ts";

const into = (target: "paths" | "servers") => ({ prefix: "/v1", into: target });

test("a prefix is what one path has before the other, whatever its parameters are called", () => {
  expect(getMovedPrefix("/books/{id}", "/v1/books/{bookId}")).toEqual(into("paths"));
  expect(getMovedPrefix("/v1/books", "/books")).toEqual(into("servers"));
  expect(getMovedPrefix("/books/{id}", "/books/{bookId}")).toBeUndefined();
  expect(getMovedPrefix("/books", "/shops")).toBeUndefined();
});

test("a prefix is whole where each operation moved by it", () => {
  const pair = (before: string, after: string) => ({ before: { path: before }, after: { path: after } });
  const moved = [pair("/a", "/v1/a"), pair("/b", "/v1/b")];
  expect(findMovedPrefix(moved)).toEqual({
    ...into("paths"),
    isWhole: true,
    example: { before: "/a", after: "/v1/a" },
  });
  expect(findMovedPrefix([...moved, pair("/c", "/v2/c")])).toMatchObject({ ...into("paths"), isWhole: false });
  expect(findMovedPrefix([...moved, pair("/c", "/c")])).toMatchObject({ isWhole: false });
  expect(findMovedPrefix([pair("/c", "/c")])).toBeUndefined();
});

test("a base URL loses what moved into the paths, and gets what moved into the servers", () => {
  for (const [before, after] of [
    ["https://staging.test/v1", "https://staging.test"],
    ["https://staging.test/shop/v1/", "https://staging.test/shop"],
    ["https://staging.test/v1?key=1", "https://staging.test?key=1"],
    ["{{host}}/v1", "{{host}}"],
  ] as const) {
    expect(moveBaseUrl(before, into("paths"))).toBe(after);
    expect(moveBaseUrl(after, into("servers"))).toBe(before.replace("/v1/", "/v1"));
  }
});

test("a base URL that can't follow, or that was changed before, stays", () => {
  for (const url of ["https://staging.test", "https://v1", "https://staging.test/xv1", "{{base}}"]) {
    expect(moveBaseUrl(url, into("paths"))).toBeUndefined();
  }
  expect(moveBaseUrl("https://staging.test/v1/", into("servers"))).toBeUndefined();
  expect(moveBaseUrl("https://staging.test", { prefix: "/{tenant}", into: "servers" })).toBeUndefined();
});
