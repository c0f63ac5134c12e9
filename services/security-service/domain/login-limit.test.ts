import { expect, test } from "vitest";
import { accountLimit, addressGroup, retryAfterSeconds } from "./login-limit.ts";

test("the addresses of one IPv6 /64 are one client", () => {
  expect(addressGroup("2001:db8:1:2::1")).toBe(addressGroup("2001:db8:1:2:ffff::9"));
  expect(addressGroup("2001:db8:1:2::1")).not.toBe(addressGroup("2001:db8:1:3::1"));
});

test("an IPv4 address is itself, also when written as IPv6", () => {
  expect(addressGroup("::ffff:203.0.113.7")).toBe("203.0.113.7");
});

test("whatever is no address is one client together", () => {
  expect(addressGroup("1.2.3.4, 5.6.7.8")).toBe("unknown");
  expect(addressGroup("")).toBe("unknown");
});

test("waiting ends when the oldest try leaves the window, and is never zero", () => {
  const oldest = new Date("2026-03-01T12:00:00.000Z");
  expect(retryAfterSeconds(oldest, accountLimit, new Date("2026-03-01T12:00:00.500Z"))).toBe(900);
  expect(retryAfterSeconds(oldest, accountLimit, new Date("2026-03-01T12:15:00.000Z"))).toBe(1);
});
