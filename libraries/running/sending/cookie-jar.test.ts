import { expect, test } from "vitest";
import { noCookies } from "../test-to-run.ts";
import { openCookies } from "./cookie-jar.ts";

const url = (text: string) => new URL(text);

test("cookies go to their own host, path and scheme only", async () => {
  const jar = await openCookies(noCookies);
  jar.store(url("https://api.example.com/login"), [
    "sid=abcdef; Path=/; Secure; HttpOnly",
    "area=inner; Path=/admin",
    "wide=open; Domain=example.com; Path=/",
    "gone=x; Max-Age=0",
  ]);
  expect(jar.find(url("https://api.example.com/me"))).toBe("sid=abcdef; wide=open");
  expect(jar.find(url("https://api.example.com/admin/1"))).toContain("area=inner");
  expect(jar.find(url("http://api.example.com/me"))).toBe("wide=open");
  expect(jar.find(url("https://other.example.com/me"))).toBe("wide=open");
  expect(jar.find(url("https://example.org/me"))).toBeUndefined();
});

test("a public suffix, another host and a broken cookie set nothing", async () => {
  const jar = await openCookies(noCookies);
  jar.store(url("https://api.example.co.uk/"), [
    "a=1; Domain=co.uk",
    "b=1; Domain=other.co.uk",
    "",
    `c=${"x".repeat(5_000)}`,
  ]);
  expect(jar.find(url("https://api.example.co.uk/"))).toBeUndefined();
});

test("a later cookie replaces an earlier one, a deleted one is no longer sent, and another process continues with them", async () => {
  const jar = await openCookies(noCookies);
  jar.store(url("http://127.0.0.1:8080/login"), ["sid=first", "theme=dark"]);
  jar.store(url("http://127.0.0.1:8080/login"), ["sid=second", "theme=; Expires=Thu, 01 Jan 1970 00:00:00 GMT"]);
  const other = await openCookies(jar.write()!);
  expect(other.find(url("http://127.0.0.1:8080/me"))).toBe("sid=second");
  expect(other.listSecrets()).toEqual([{ secret: "second" }]);
  expect(other.write()).toBeUndefined();
});

test("cookies are displayed by name, and the request's own win", async () => {
  const jar = await openCookies(noCookies);
  jar.store(url("http://a.test/"), ["sid=second", "n=1"]);
  expect(jar.show(url("http://a.test/"), [["cookie", "own=1; sid=mine"]])).toEqual([
    ["cookie", "own=1; sid=mine; n=[secret]"],
  ]);
  expect(jar.show(url("http://b.test/"), [["accept", "*/*"]])).toEqual([["accept", "*/*"]]);
});

test("the value of a session or a long one is hidden wherever it is, a short one with its cookie's name only", async () => {
  const jar = await openCookies(noCookies);
  jar.store(url("http://a.test/"), ["sid=abcdef", "visitor=0123456789", "theme=dark"]);
  expect(jar.listSecrets()).toEqual([{ secret: "abcdef" }, { secret: "0123456789" }, { secret: "theme=dark" }]);
});

test("a run has at most a hundred cookies", async () => {
  const jar = await openCookies(noCookies);
  jar.store(
    url("http://a.test/"),
    Array.from({ length: 150 }, (_, index) => `c${index}=v`),
  );
  expect(jar.find(url("http://a.test/"))?.split("; ")).toHaveLength(100);
});
