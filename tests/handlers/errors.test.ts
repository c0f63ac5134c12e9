import { afterAll, beforeAll, expect, test } from "vitest";
import { type FailingService, startFailingService } from "../support/failing-service.ts";
import { joinAs } from "../support/handled-newcomer.ts";
import { type HandledPortal, openHandledPortal } from "../support/handled-portal.ts";

let failing: FailingService;
/** Its api-registry is a failing remote service. */
let portal: HandledPortal;
beforeAll(async () => {
  failing = await startFailingService();
  portal = await openHandledPortal({ API_REGISTRY_URL: failing.origin });
});
afterAll(async () => {
  await portal.stop();
  await failing.stop();
});

const list = "/api-management/list?query=book";
const forbidden = "You don't have permission to access this resource";
const nowhere = "01900000-0000-7000-8000-000000000000";

test("401: the session is cleared, and the login leads back", async () => {
  const visitor = await portal.signIn("/profile");
  failing.respondWith(401);
  const login = await visitor.open(list);
  expect([login.heading, login.address]).toEqual(["Login", `/login?redirectTo=${encodeURIComponent(list)}`]);
  expect(visitor.cookies().sort()).toEqual(["__Host-account", "cookiesAccepted", "styles"]);
});

test("403: the page says who can change it, and the session remains", async () => {
  const visitor = await portal.signIn("/profile");
  failing.respondWith(403);
  const refused = await visitor.open(list);
  expect([refused.status, refused.heading]).toEqual([403, forbidden]);
  expect((await visitor.open("/profile")).heading).toBe("Administrator");
});

test("W09: the page of a 500 names the request id under which its calls are logged, and no internals", async () => {
  const visitor = await portal.signIn("/profile");
  failing.respondWith(500);
  const failed = await visitor.open(list);
  expect([failed.status, failed.heading]).toEqual([500, "Something went wrong on our side"]);
  const requestId = failed.headers.get("x-request-id");
  expect(failing.requestIds.at(-1)).toBe(requestId);
  expect(failed.text).toContain("give your administrator this request id");
  expect(failed.text).toContain(requestId);
  expect(failed.html).not.toMatch(/secret detail|node_modules|\.js:\d|127\.0\.0\.1/);
});

test("W09: a form that a service fails on keeps the input and names the request id, and no internals", async () => {
  const visitor = await portal.signIn("/profile");
  const form = await visitor.open("/api-management/register");
  failing.respondWith(500);
  const failed = await form.submit("Register", { way: "url", url: "https://api.example.com/openapi.json" });
  expect([failed.status, failed.value("url")]).toEqual([500, "https://api.example.com/openapi.json"]);
  expect(failed.text).toContain(`give your administrator this request id: ${failed.headers.get("x-request-id")}`);
  expect(failed.html).not.toContain("secret detail");
});

test("W09: the page of a failed action keeps the user signed in, and names the request id", async () => {
  const visitor = await portal.signIn("/profile");
  failing.respondWith(500);
  const failed = await visitor.post(`/api-management/${nowhere}/details`, { intent: "delete" });
  expect([failed.status, failed.heading]).toEqual([500, "Something went wrong on our side"]);
  expect(failed.text).toContain(failed.headers.get("x-request-id"));
  expect(failed.text).toContain("Administrator");
  expect((await failed.follow("Go to the dashboard")).url.pathname).toBe("/dashboard");
});

test("an unavailable service is distinguished from an error, and ends no session", async () => {
  const visitor = await portal.signIn("/profile");
  failing.respondWith(0);
  const away = await visitor.open(list);
  expect([away.status, away.heading]).toEqual([503, "APIs are not available right now"]);
  expect((await visitor.open("/profile")).heading).toBe("Administrator");
});

test("404: an unknown address is reported with links onward, signed in or not", async () => {
  const visitor = portal.visit();
  const unknown = await visitor.open("/nowhere");
  expect([unknown.status, unknown.heading]).toEqual([404, "Page not found"]);
  expect((await unknown.follow("Go to the start page")).address).toBe("/");
  const known = await portal.signIn("/profile");
  expect((await known.open("/administration/nowhere")).status).toBe(404);
  expect((await known.open("/nowhere")).text).toContain("Go to the dashboard");
  expect((await known.open(`/administration/credentials/${nowhere}/edit`)).status).toBe(404);
});

test("a viewer gets the credentials without the forms, whose addresses are refused", async () => {
  const viewer = await joinAs(portal, "VIEWER");
  expect((await viewer.open("/profile")).text).toContain("Viewer");
  const credentials = await viewer.open("/administration");
  expect(credentials.heading).toBe("Credentials");
  expect(credentials.text).not.toContain("Create a credential");
  for (const address of ["/administration/credentials/create", `/administration/credentials/${nowhere}/edit`]) {
    const refused = await viewer.open(address);
    expect([refused.status, refused.heading]).toEqual([403, forbidden]);
  }
  const values = { name: "Orders", domain: "api.test", type: "bearer", secret: "s" };
  const posted = await viewer.post("/administration/credentials/create", values);
  expect(posted.status).toBe(403);
});
