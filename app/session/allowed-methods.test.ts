import type { ServerBuild } from "@remix-run/node";
import { expect, test } from "vitest";
import { createAllowedMethods } from "./allowed-methods.ts";

const page = () => null;
const read = () => null;
const change = () => null;
const route = (id: string, parentId: string | undefined, path: string | undefined, module: object) => ({
  ...{ id, parentId, path, index: path === undefined && parentId ? true : undefined },
  module,
});
const routes = [
  route("root", undefined, "", { default: page }),
  route("home", "root", undefined, { default: page, loader: read }),
  route("items", "root", "items", { default: page, action: change }),
  route("items-start", "items", undefined, { loader: read }),
  route("item", "items", ":itemId/edit", { default: page, action: change }),
  route("events", "root", "items/:itemId/events", { loader: read }),
  route("consent", "root", "consent", { action: change }),
  route("nowhere", "root", "*", { default: page }),
];
const allowedMethods = createAllowedMethods({
  routes: Object.fromEntries(routes.map((one) => [one.id, one])) as unknown as ServerBuild["routes"],
});

test("a page accepts GET, and POST when it or its layout has a form", () => {
  expect(allowedMethods("/")).toEqual(["GET", "HEAD", "OPTIONS"]);
  expect(allowedMethods("/items/1/edit")).toEqual(["GET", "HEAD", "POST", "OPTIONS"]);
});

test("a resource route accepts either GET or POST", () => {
  expect(allowedMethods("/items/1/events")).toEqual(["GET", "HEAD", "OPTIONS"]);
  expect(allowedMethods("/items")).toEqual(["GET", "HEAD", "OPTIONS"]);
  expect(allowedMethods("/consent")).toEqual(["POST", "OPTIONS"]);
});

test("an unknown address has no allowed methods", () => {
  expect(allowedMethods("/elsewhere")).toBeUndefined();
});
