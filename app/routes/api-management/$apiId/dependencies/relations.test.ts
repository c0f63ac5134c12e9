import { expect, test } from "vitest";
import type { Consumer } from "#contracts/api-registry/resources.ts";
import { listRelations } from "./relations";

const post = (path: string) => ({ method: "post" as const, path });
const known = (key: string, parent: string | null, create: string, source = key) => ({
  ...{ key, parent, source, operations: { create: post(create) } },
});
const needs = (path: string, resource: string, name: string, place: Consumer["in"] = "body"): Consumer => ({
  ...{ operation: post(path), in: place, name, required: true, resource, evidence: { kind: "path" } },
});
const shops = known("/shops/{}", null, "/shops");
const books = known("/shops/{}/books/{}", "/shops/{}", "/shops/{}/books");
const loans = known("/loans/{}", null, "/loans");

test("a resource needs what it is part of, and what its requests refer to, each once", () => {
  const consumers = [
    needs("/shops/{}/books", "/shops/{}", "shopId", "path"),
    needs("/loans", "/shops/{}/books/{}", "/bookId"),
    needs("/loans", "/shops/{}/books/{}", "/lines/-/bookId"),
    needs("/loans", "/loans/{}", "/previous"),
    needs("/unknown", "/shops/{}", "/shopId"),
    needs("/loans", "/elsewhere/{}", "/id"),
  ];
  expect(listRelations([shops, books, loans], consumers)).toEqual([
    { from: "/shops/{}/books/{}", to: "/shops/{}", isPart: true, where: undefined },
    { from: "/loans/{}", to: "/shops/{}/books/{}", isPart: false, where: "bookId in its body, POST /loans" },
  ]);
});

test("a resource whose identifier is another one's needs that one", () => {
  const pins = known("/pins/{}", null, "/pins", "/loans/{}");
  expect(listRelations([loans, pins], [])).toEqual([
    { from: "/pins/{}", to: "/loans/{}", isPart: true, where: undefined },
  ]);
});
