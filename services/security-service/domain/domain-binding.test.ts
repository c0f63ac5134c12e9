import { expect, test } from "vitest";
import { domainsCovering, findDomainError } from "./domain-binding.ts";

const covers = (domain: string, host: string) => domainsCovering(host).includes(domain);

test("a domain without a port covers every port of exactly that host", () => {
  expect(covers("api.example.com", "api.example.com")).toBe(true);
  expect(covers("api.example.com", "API.example.com.:8443")).toBe(true);
  expect(covers("example.com", "api.example.com")).toBe(false);
});

test("a domain with a port covers that port only", () => {
  expect(covers("127.0.0.1:8080", "127.0.0.1:8080")).toBe(true);
  expect(covers("127.0.0.1:8080", "127.0.0.1:8081")).toBe(false);
  expect(covers("127.0.0.1:8080", "127.0.0.1")).toBe(false);
  expect(covers("[::1]:8080", "[::1]:8080")).toBe(true);
});

test("a wildcard covers subdomains of any depth but neither the name itself nor lookalikes", () => {
  expect(covers("*.example.com", "api.example.com")).toBe(true);
  expect(covers("*.example.com", "v2.api.example.com:9000")).toBe(true);
  expect(covers("*.example.com:9000", "v2.api.example.com:9000")).toBe(true);
  expect(covers("*.example.com", "example.com")).toBe(false);
  expect(covers("*.example.com", "evilexample.com")).toBe(false);
  expect(covers("*.example.com", "api.example.com.evil.test")).toBe(false);
});

test("user information, paths and empty text cover nothing", () => {
  expect(domainsCovering("api.example.com@evil.test:80:81")).toEqual([]);
  expect(covers("api.example.com", "api.example.com@evil.test")).toBe(false);
  expect(domainsCovering("")).toEqual([]);
});

test("the most specific domain comes first", () => {
  expect(domainsCovering("a.b.test:81")).toEqual([
    "a.b.test:81",
    "a.b.test",
    "*.b.test:81",
    "*.b.test",
    "*.test:81",
    "*.test",
  ]);
});

test("ports out of range, empty labels and wildcards over a top-level domain are refused", () => {
  expect(findDomainError("api.example.com:65536")).toMatch(/1 to 65535/);
  expect(findDomainError("api.example.com:443")).toMatch(/Leave out :443/);
  expect(findDomainError("api..example.com")).toMatch(/host name/);
  expect(findDomainError("*.com")).toMatch(/two parts/);
  expect(findDomainError("*.0.0.1")).toMatch(/two parts/);
  expect(findDomainError("*.example.com:8443")).toBeUndefined();
  expect(findDomainError("[::1]:8080")).toBeUndefined();
  expect(findDomainError("localhost")).toBeUndefined();
});
