import { expect, test } from "vitest";
import { loginPath, ownPath } from "./redirects";

const hostile = [
  "//evil.test",
  "///evil.test",
  "/\\evil.test",
  "\\\\evil.test",
  "\\/evil.test",
  "/%09/evil.test",
  "/\t/evil.test",
  "/\n/evil.test",
  "/%2f/evil.test",
  "/%5cevil.test",
  "/%255cevil.test",
  "/..//evil.test",
  "/.//evil.test",
  "/%2e//evil.test",
  "/a/..//evil.test",
  "/a/%2e%2e//evil.test/x",
  "https:evil.test",
  "https://evil.test",
  "http://evil.test/dashboard",
  "HTTPS:\\\\evil.test",
  "javascript:alert(1)",
  " javascript:alert(1)",
  "data:text/html,x",
  "vbscript:x",
  "evil.test",
  "@evil.test",
  ".evil.test",
  "?redirectTo=//evil.test",
  "/\u0000/evil.test",
  "/\r\nLocation: https://evil.test",
  `/${"a".repeat(2_001)}`,
  "",
];

test("W03: anything that a browser could read as another origin becomes the dashboard or a path of the portal", () => {
  for (const candidate of hostile) {
    const answered = ownPath(candidate);
    const reached = new URL(answered, "https://portal.test");
    expect([candidate, reached.origin]).toEqual([candidate, "https://portal.test"]);
    expect([candidate, /^\/(?![\\/])/.test(answered)]).toEqual([candidate, true]);
    expect([candidate, answered.includes("evil.test") && reached.host !== "portal.test"]).toEqual([candidate, false]);
  }
  expect(ownPath("//evil.test")).toBe("/dashboard");
  expect(ownPath("/..//evil.test")).toBe("/dashboard");
  expect(ownPath(undefined, "/")).toBe("/");
});

test("paths of the portal are unchanged, with search, anchor and encoded path templates", () => {
  const own = [
    "/dashboard",
    "/api-management/list?query=100%25&sort=name",
    "/api-management/list?query=50%",
    "/test-management/0190/tests/create/%2Fpets%2F%7BpetId%7D/get#assertions",
    "/?serviceId=1#pricing",
  ];
  for (const path of own) expect(ownPath(path)).toBe(path);
});

test("the redirect to sign-in remembers the requested page, but not a form's target", () => {
  const requested = "https://portal.test/api-management/list?query=a%26b";
  expect(loginPath(new Request(requested))).toBe("/login?redirectTo=%2Fapi-management%2Flist%3Fquery%3Da%2526b");
  const sent = new Request("https://portal.test/profile?kept=older", { method: "POST" });
  expect(loginPath(sent, "newer")).toBe("/login?redirectTo=%2Fprofile%3Fkept%3Dnewer");
  expect(loginPath(new Request("https://portal.test/"))).toBe("/login");
});
