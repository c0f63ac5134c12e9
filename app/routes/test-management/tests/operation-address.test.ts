import fc from "fast-check";
import { expect, test } from "vitest";
import { href } from "~/href";
import { operationOfAddress } from "./operation-address.ts";

const apiId = "018f0000-0000-7000-8000-000000000000";
const createPage = (pathName: string, method: string) =>
  href("/test-management/:apiId/tests/create/:pathName/:method", { apiId, pathName, method });
const read = (address: string) => operationOfAddress(`http://portal.example${address}`);

test("any path template and method survive the address", () => {
  const path = fc.string({ unit: "grapheme" }).map((text) => `/${text}`);
  fc.assert(
    fc.property(path.filter(isEncodable), fc.constantFrom("get", "post", "QUERY", "m-search"), (template, method) => {
      expect(read(createPage(template, method))).toEqual({ method, path: template });
    }),
  );
});

test("slashes, braces and encoded slashes of the template are preserved", () => {
  for (const path of [
    "/",
    "/pets/{petId}",
    "/a%2Fb/{x.y}",
    "/files/{path}/:copy",
    "/a/../b",
    "/ü/{id}?x#y",
    "/x.data",
  ]) {
    expect(read(createPage(path, "get"))).toEqual({ method: "get", path });
  }
});

test("an address that a proxy decoded still identifies its operation", () => {
  expect(read(`/test-management/${apiId}/tests/create/pets/%7BpetId%7D/get`)).toEqual({
    method: "get",
    path: "/pets/{petId}",
  });
});

test("an address without a valid operation identifies none", () => {
  for (const rest of ["", "get", "%E0%A4%A/get", "%2Fpets"]) {
    expect(read(`/test-management/${apiId}/tests/create/${rest}`)).toBeUndefined();
  }
});

/** A lone surrogate has no UTF-8 encoding, so it can't occur in an address. */
function isEncodable(text: string): boolean {
  return !/[\uD800-\uDFFF]/u.test(text);
}
