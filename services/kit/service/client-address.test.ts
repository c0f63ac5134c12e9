import { expect, test } from "vitest";
import { getClientAddress, isForwarded, isFromTrustedProxy } from "./client-address.ts";

function received(remoteAddress: string, forwardedFor?: string) {
  const headers = forwardedFor === undefined ? {} : { "x-forwarded-for": forwardedFor };
  return { socket: { remoteAddress }, headers } as Parameters<typeof getClientAddress>[0];
}

test("A07: forwarding headers of an untrusted peer are ignored", () => {
  expect(getClientAddress(received("203.0.113.9", "10.0.0.1"), ["10.0.0.0/8"])).toBe("203.0.113.9");
  expect(getClientAddress(received("203.0.113.9", "1.2.3.4"), [])).toBe("203.0.113.9");
});

test("behind a trusted proxy the client is the last address that is not a trusted proxy", () => {
  const viaTwo = received("10.0.0.2", "6.6.6.6, 203.0.113.9, 10.0.0.1");
  expect(getClientAddress(viaTwo, ["10.0.0.0/8"])).toBe("203.0.113.9");
});

test("an IPv4 address written as IPv6 is the same address", () => {
  expect(getClientAddress(received("::ffff:10.0.0.2", "203.0.113.9"), ["10.0.0.2"])).toBe("203.0.113.9");
});

test("an invalid address falls back to the proxy's own", () => {
  expect(getClientAddress(received("10.0.0.2", "unknown"), ["10.0.0.2"])).toBe("10.0.0.2");
  expect(getClientAddress(received("10.0.0.2"), ["10.0.0.2"])).toBe("10.0.0.2");
});

test("only a listed peer is a trusted proxy", () => {
  expect(isFromTrustedProxy(received("10.0.0.2"), ["10.0.0.0/8"])).toBe(true);
  expect(isFromTrustedProxy(received("11.0.0.2"), ["10.0.0.0/8"])).toBe(false);
});

test("every proxy header marks a request as forwarded, and no browser header does", () => {
  const added =
    "Forwarded Via X-Real-IP X-Forwarded-For X-Forwarded-Host X-Forwarded-Proto X-Forwarded-Port X-Client-IP";
  const byNetworks = "X-Original-Forwarded-For X-Envoy-External-Address CF-Connecting-IP True-Client-IP Client-IP";
  for (const name of `${added} ${byNetworks}`.split(" "))
    expect(isForwarded(new Headers({ [name]: "x" })), name).toBe(true);
  const sent = "Host Origin Cookie Accept User-Agent Referer X-Requested-With Sec-Fetch-Site Sec-CH-UA-Platform";
  expect(isForwarded(new Headers(sent.split(" ").map((name) => [name, "x"])))).toBe(false);
});
