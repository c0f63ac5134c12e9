import { expect, test } from "vitest";
import { acceptCookies, declineCookies, hasConsent, joinCookie, splitCookie } from "./cookies";

const options = { secure: true, maxAgeSeconds: 36_000 };
const requestWith = (cookie: string) => new Request("https://portal.test/", { headers: { cookie } });
const getPair = (setCookie: string) => setCookie.split(";")[0] ?? "";

test("a long value is split into numbered parts of 4000 characters and joined again", () => {
  const value = "abc-_.".repeat(1_700);
  const parts = splitCookie("session", value, requestWith(""), options).map(getPair);
  expect(parts.map((part) => part.split("=")[0])).toEqual(["session.0", "session.1", "session.2"]);
  expect(parts.map((part) => part.length - "session.0=".length)).toEqual([4_000, 4_000, 2_200]);
  expect(joinCookie("session", requestWith(parts.reverse().join("; ")))).toBe(value);
});

test("W06: every part is below the browsers' limit, attributes included", () => {
  for (const part of splitCookie("__Host-session", "x".repeat(8_000), requestWith(""), options)) {
    expect(part.length).toBeLessThan(4_096);
    expect(part).toMatch(/; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
  }
});

test("parts that a shorter value no longer needs are removed", () => {
  const before = requestWith("session.0=a; session.1=b; session.10=c; session.x=d; other.1=e");
  const set = splitCookie("session", "short", before, options);
  const removed = set.filter((cookie) => cookie.includes("Max-Age=0")).map((cookie) => cookie.split("=")[0]);
  expect(removed).toEqual(["session.1", "session.10"]);
});

test("a missing part makes the whole value missing", () => {
  expect(joinCookie("session", requestWith("session.0=a; session.2=c"))).toBeUndefined();
  expect(joinCookie("session", requestWith("session.1=b"))).toBeUndefined();
  expect(joinCookie("session", requestWith("session=a"))).toBeUndefined();
});

test("consent is the flag Y, kept for thirty days", () => {
  expect(acceptCookies(false)).toMatch(/^cookiesAccepted=Y; Max-Age=2592000; Path=\/;/);
  expect(hasConsent(requestWith("cookiesAccepted=Y"))).toBe(true);
  expect(hasConsent(requestWith("cookiesAccepted=N; xcookiesAccepted=Y"))).toBe(false);
});

test("declining removes every stored cookie", () => {
  const removed = declineCookies(requestWith("cookiesAccepted=Y; session.0=a; theme=dark"), true);
  expect(removed.map(getPair)).toEqual(["cookiesAccepted=", "session.0=", "theme="]);
  for (const cookie of removed) expect(cookie).toContain("Max-Age=0; Path=/");
});
