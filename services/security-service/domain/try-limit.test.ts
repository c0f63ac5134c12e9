import { expect, test } from "vitest";
import { accountLimit } from "./login-limit.ts";
import { clientGroup, retryAfterSeconds } from "./try-limit.ts";

test("the addresses of one IPv6 /64 are one client", () => {
  expect(clientGroup("2001:db8:1:2::1")).toBe(clientGroup("2001:db8:1:2:ffff::9"));
  expect(clientGroup("2001:db8:1:2::1")).not.toBe(clientGroup("2001:db8:1:3::1"));
});

test("an IPv4 address is its own client, also when written as IPv6", () => {
  expect(clientGroup("::ffff:203.0.113.7")).toBe("203.0.113.7");
});

test("all invalid addresses are one client, and so are callers without an address", () => {
  expect(clientGroup("1.2.3.4, 5.6.7.8")).toBe("unknown");
  expect(clientGroup("")).toBe("unknown");
  expect(clientGroup(undefined)).toBe("direct");
});

test("waiting ends when the oldest try leaves the window, and is never zero", () => {
  const oldest = new Date("2026-03-01T12:00:00.000Z");
  expect(retryAfterSeconds(oldest, accountLimit, new Date("2026-03-01T12:00:00.500Z"))).toBe(900);
  expect(retryAfterSeconds(oldest, accountLimit, new Date("2026-03-01T12:15:00.000Z"))).toBe(1);
});
