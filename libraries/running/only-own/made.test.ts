import { expect, test } from "vitest";
import { testRequest } from "#contracts/test-registry/requests.ts";
import { hasMade } from "./made.ts";

const put = (value: string) => ({
  method: "put",
  path: "/labels/{name}",
  request: testRequest.parse({ pathParameters: [{ name: "name", value }] }),
});
const post = { method: "post", path: "/books", request: testRequest.parse({}) };
const received = (status: number, ...hops: number[]) => ({
  status,
  redirects: hops.map((hop) => ({ url: "http://api.test/books", status: hop })),
});

test("a POST has made something when its own response is a 2xx", () => {
  for (const status of [200, 201, 202, 204]) expect(hasMade(post, "makes", received(status)), `${status}`).toBe(true);
  for (const status of [101, 302, 400, 409, 500]) expect(hasMade(post, "makes", received(status))).toBe(false);
  expect(hasMade(post, "makes", received(201, 308, 307)), "the request was repeated elsewhere").toBe(true);
  expect(hasMade(post, "makes", received(200, 303)), "this is the response to a GET").toBe(false);
});

test("only a member that is said to make something makes it, by POST or PUT", () => {
  expect(hasMade(post, undefined, received(201))).toBe(false);
  expect(hasMade(post, "allowed", received(201))).toBe(false);
  for (const method of ["get", "patch", "delete"])
    expect(hasMade({ ...post, method }, "makes", received(201))).toBe(false);
});

test("a PUT has made something when it was created, or its address is unique to the run", () => {
  expect(hasMade(put("{{name}}"), "makes", received(201))).toBe(true);
  expect(hasMade(put("{{name}}"), "makes", received(200)), "it replaced what was there").toBe(false);
  expect(hasMade(put("label-{{$uuid}}"), "makes", received(200))).toBe(true);
  expect(hasMade(put("label-{{$randomInt}}"), "makes", received(204))).toBe(false);
});

test("a PUT to an address that the run generated has made something, whatever its 2xx", () => {
  const isUnique = (name: string) => name === "labelName";
  for (const status of [200, 201, 204]) {
    expect(hasMade(put("{{labelName}}"), "makes", received(status), isUnique)).toBe(true);
    expect(hasMade(put("a-{{labelName}}"), "makes", received(status), isUnique)).toBe(true);
  }
  expect(hasMade(put("{{other}}"), "makes", received(200), isUnique)).toBe(false);
  expect(hasMade(put("{{labelName}}"), "makes", received(409), isUnique)).toBe(false);
  expect(hasMade(put("{{labelName}}"), undefined, received(200), isUnique)).toBe(false);
});
