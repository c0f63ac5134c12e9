import { afterAll, beforeAll, expect, test } from "vitest";
import type { FormPage } from "../support/form-page.ts";
import { type HandledPortal, openHandledPortal, type Visitor } from "../support/handled-portal.ts";

let portal: HandledPortal;
beforeAll(async () => {
  portal = await openHandledPortal();
});
afterAll(() => portal.stop());

test("a page that needs a sign-in is reached by signing in, after a wrong password too", async () => {
  const visitor = portal.visit();
  const login = await visitor.open("/profile");
  expect(login.heading).toBe("Login");
  const refused = await login.submit("log in", { username: portal.administrator.username, password: "not it" });
  expect(refused.status).toBe(401);
  expect(refused.text).toContain("Username or password is wrong");
  expect(refused.value("username")).toBe(portal.administrator.username);
  expect(refused.value("password")).toBeUndefined();
  const profile = await refused.submit("log in", { password: portal.administrator.password });
  expect(profile.address).toBe("/profile");
  expect(profile.text).toContain("This session");
});

test("missing values at the sign-in are reported at their field", async () => {
  const login = await portal.visit().open("/login");
  const refused = await login.submit("log in", {});
  expect(refused.status).toBe(422);
  expect(refused.errors("username")).not.toBe("");
  expect(refused.errors("password")).not.toBe("");
});

test("signing in leads to the requested page, and the login page redirects afterwards", async () => {
  const visitor = portal.visit();
  const requested = "/administration/credentials?query=a";
  const login = await visitor.open(requested);
  expect(login.address).toBe(`/login?redirectTo=${encodeURIComponent(requested)}`);
  expect((await login.submit("log in", portal.administrator)).address).toBe(requested);
  expect((await visitor.open("/login")).address).toBe("/dashboard");
});

test("a sign-in leads to no other site", async () => {
  for (const elsewhere of ["https://evil.example.com/", "//evil.example/"]) {
    const login = await portal.visit().open(`/login?redirectTo=${encodeURIComponent(elsewhere)}`);
    const after = await login.submit("log in", portal.administrator);
    expect(after.address).toBe("/dashboard");
  }
});

test("logging out asks for confirmation, then leads to the start page and ends the session", async () => {
  const visitor = await portal.signIn();
  const requesting = await visitor.open("/signout");
  expect((await requesting.submit("Logout")).address).toBe("/");
  expect(visitor.cookies()).toEqual(["cookiesAccepted", "__Host-account", "styles"]);
  expect((await visitor.open("/profile")).heading).toBe("Login");
  expect((await visitor.open("/dashboard")).address).toBe("/login?redirectTo=%2Fdashboard");
});

test("A03: a copied cookie ends with its session, however that is ended", async () => {
  const endings: [name: string, end: (visitor: Visitor) => Promise<FormPage>][] = [
    ["Logout", async (visitor) => (await visitor.open("/signout")).submit("Logout")],
    ["the profile", async (visitor) => (await visitor.open("/profile")).submit("Log out", {}, "This session")],
    ["declined cookies", (visitor) => visitor.post("/cookie-consent", { choice: "decline" })],
  ];
  for (const [name, end] of endings) {
    const visitor = await portal.signIn();
    const thief = visitor.copied();
    expect((await thief.open("/dashboard")).address, name).toBe("/dashboard");
    await end(visitor);
    for (const user of [visitor, thief]) expect((await user.open("/dashboard")).heading, name).toBe("Login");
  }
});

test("the profile lists the user's sessions; ending another one removes it, ending this one logs out", async () => {
  const visitor = await portal.signIn();
  const elsewhere = portal.visit("elsewhere/1.0");
  await (await elsewhere.open("/login")).submit("log in", portal.administrator);
  const profile = await visitor.open("/profile");
  expect(profile.rows("This session")).toHaveLength(1);
  expect(profile.rows("elsewhere")).toHaveLength(1);
  const ended = await profile.submit("End", {}, "elsewhere");
  expect(ended.text).toContain("The session is ended.");
  expect(ended.rows("elsewhere")).toEqual([]);
  expect((await elsewhere.open("/profile")).heading).toBe("Login");
  expect((await ended.submit("Log out", {}, "This session")).address).toBe("/");
  expect((await visitor.open("/profile")).address).toBe("/login?redirectTo=%2Fprofile");
});

test("the browser's time zone is stored when cookies are accepted, and never before", async () => {
  const timeZone = "Asia/Tokyo";
  const visitor = portal.visit();
  await visitor.post("/login", { ...portal.administrator, password: "not it", timeZone });
  expect(visitor.cookies()).toEqual([]);
  await visitor.post("/login", { ...portal.administrator, timeZone });
  expect((await visitor.open("/dashboard")).text).toContain(`Time zone: UTC+9 (${timeZone})`);

  const other = portal.visit();
  await other.post("/cookie-consent", { choice: "accept", timeZone: "Nowhere/At all" });
  expect(other.cookies()).not.toContain("timeZone");
});

test("the cookie banner accepts both choices and returns to its page", async () => {
  const visitor = portal.visit();
  const first = await visitor.open("/legal");
  const declined = await first.submit("Decline cookies");
  expect([declined.url.pathname, declined.text.includes("Accept essential cookies")]).toEqual(["/legal", false]);
  expect(visitor.cookies()).toEqual([]);
  // No choice is stored, so the next page asks again.
  const requested = await visitor.open("/privacy-policy");
  const accepted = await requested.submit("Accept essential cookies");
  expect(accepted.address).toBe("/privacy-policy");
  expect(visitor.cookies()).toEqual(["cookiesAccepted", "styles"]);
  expect((await visitor.open("/legal")).text).not.toContain("Decline cookies");
});
