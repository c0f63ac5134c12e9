import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { href } from "./href";
import { routeAccess } from "./session/route-access";

const apiId = "01900000-0000-7000-8000-000000000000";

test("a parameter is one segment of the address, whatever its value", () => {
  expect(href("/administration/credentials/domain/:domain", { domain: "[::1]:80" })).toBe(
    "/administration/credentials/domain/%5B%3A%3A1%5D%3A80",
  );
  const at = (pathName: string) =>
    href("/test-management/:apiId/tests/create/:pathName/:method", { apiId, pathName, method: "get" });
  expect(at("/books/{id}")).toBe(`/test-management/${apiId}/tests/create/%2Fbooks%2F%7Bid%7D/get`);
  expect(at("/a?b=c#d%2F")).toBe(`/test-management/${apiId}/tests/create/%2Fa%3Fb%3Dc%23d%252F/get`);
});

test("a search is added to a page with and without parameters, omitting undefined values", () => {
  expect(href("/login")).toBe("/login");
  expect(href("/login", { redirectTo: "/profile?a=b&c", registered: undefined })).toBe(
    "/login?redirectTo=%2Fprofile%3Fa%3Db%26c",
  );
  expect(href("/password-reset", { sent: true })).toBe("/password-reset?sent");
  expect(href("/api-management/:apiId/swagger/operations", { apiId }, { tag: "a b", page: 2, query: null })).toBe(
    `/api-management/${apiId}/swagger/operations?tag=a%20b&page=2`,
  );
});

test("an address without one of its parameters throws", () => {
  expect(() => href("/test-management/:apiId/tests", { apiId: "" })).toThrow("needs apiId");
});

test("no other file builds the address of a page", () => {
  const segments = new Set(Object.keys(routeAccess).map((path) => path.split("/")[1]));
  segments.delete("*");
  segments.delete("");
  const spelled = [
    new RegExp(`["'\`]/(${[...segments].join("|")})(?![\\w-])[^"'\`\\n]*`, "g"),
    /\b(?:href|action)="\/[^"]*"/g,
    /\b(?:\w*[hH]ref|action|redirect\w*\((?:context, )?)(?:=\{|: |=|)`(?:\/|\$\{\w+\}\/)[^`]*`/g,
  ];
  const root = new URL(".", import.meta.url).pathname;
  const sources = readdirSync(root, { recursive: true, encoding: "utf8" }).filter(
    (path) => /(?<!\.test)\.tsx?$/.test(path) && !/^(routes|session\/route-access)\.ts$/.test(path),
  );
  const found = sources.flatMap((path) => {
    const code = readFileSync(join(root, path), "utf8")
      .replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "")
      .replace(/\bhref\(\s*["`][^"`]*["`]/g, "")
      // Typed as `Page` for `href`: values, and keys of a record.
      .replace(/\bpage: "[^"]*"|^\s*"[^"]*":/gm, "");
    return spelled.flatMap((way) => [...code.matchAll(way)].map(([text]) => `${path}: ${text}`));
  });
  expect(sources.length).toBeGreaterThan(200);
  expect(found).toEqual([]);
});

test("the addresses in mails and messages of services are pages", () => {
  const root = new URL("../services", import.meta.url).pathname;
  const sources = readdirSync(root, { recursive: true, encoding: "utf8" }).filter(
    (path) => /(?<!\.test)\.ts$/.test(path) && !/(^|\/)testing\//.test(path),
  );
  const written = [
    /\$\{(?:\w+\.)?(?:portalOrigin|origin)(?:\(\))?\}(\/(?:[^`"\s?#$]|\$\{[^}]*\})*)/g,
    /new URL\("([^"]*)", portalOrigin\(\)\)/g,
    /ConfirmationPath = "(\/[^"{]*)"/g,
  ];
  const addresses = sources.flatMap((path) => {
    const code = readFileSync(join(root, path), "utf8");
    return written.flatMap((way) => [...code.matchAll(way)].map(([, address]) => `${path}: ${address}`));
  });
  expect(addresses.length).toBeGreaterThan(15);
  const pages = Object.keys(routeAccess);
  const unknown = addresses.filter((found) => {
    const address = found.slice(found.indexOf(": ") + 2);
    // A mail program calls a service to unsubscribe by one click (RFC 8058).
    if (address.startsWith("/api/")) return false;
    const pattern = new RegExp(`^${address.replace(/\$\{[^}]*\}/g, "[^/]+")}$`);
    return !pages.some((page) => pattern.test(page));
  });
  expect(unknown).toEqual([]);
});
