import { readdirSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { repetitions } from "../support/endurance.ts";
import { signInForToken } from "../support/portal-process.ts";
import { type PostgresPortal, startPostgresPortal } from "../support/postgres-portal.ts";
import { ask, signInForCookies } from "../support/raw-request.ts";

const publicOrigin = "https://portal.example.com";
const host = "portal.example.com";
const services = [
  "security-service",
  "portal-service",
  "api-registry",
  "test-registry",
  "test-executioner",
  "test-analyzer",
];

let portal: PostgresPortal;
let token: string;
let cookie: string;

beforeAll(async () => {
  const started = await startPostgresPortal({ PUBLIC_URL: publicOrigin, LOG_LEVEL: "warn" });
  portal = { ...started, origin: /listening on (http:[^)]+)/.exec(started.output())![1]! };
  token = await signInForToken(portal);
  cookie = await signInForCookies(portal.origin, { ...portal, publicOrigin });
});
afterAll(async () => {
  await portal.stop();
});

const get = (path: string, headers: Record<string, string> = {}) => ask(portal.origin, path, { headers });
const page = (path: string, headers: Record<string, string> = {}) => get(path, { host, ...headers });

test("a portal that is ready says so to every caller, under any host name", async () => {
  expect(await get("/actuator/health", { host: "10.1.2.3" })).toMatchObject({
    status: 200,
    text: expect.stringMatching(/^{"status":"UP"/),
  });
});

test.each(services)("%s publishes its health and its API, and nothing internal", async (name) => {
  expect(await get(`/api/${name}/actuator/health`)).toMatchObject({
    status: 200,
    text: expect.stringMatching(/^{"status":"UP"/),
  });
  const described = await get(`/api/${name}/openapi.json`);
  expect(described.status).toBe(200);
  const description = JSON.parse(described.text) as { servers: { url: string }[]; paths: Record<string, unknown> };
  expect(description.servers).toMatchObject([{ url: `/api/${name}` }]);
  expect(Object.keys(description.paths).filter((path) => path.includes("internal"))).toEqual([]);
});

test("public data is returned without authentication", async () => {
  for (const path of ["/status/nowhere", "/status/nowhere/badge.svg"]) {
    const deleted = await page(path, { cookie });
    expect([deleted.status, deleted.headers["set-cookie"]], path).toEqual([404, undefined]);
  }
});

test("the portal itself publishes its health where its services do", async () => {
  const health = await get("/api/portal-ui/actuator/health");
  expect(health).toMatchObject({ status: 200, text: expect.stringMatching(/^{"status":"UP"/) });
  expect(JSON.parse((await get("/api/portal-ui/actuator/info")).text)).toMatchObject({ name: "api-assurance-portal" });
});

test("a method that an address does not support is refused with the supported ones", async () => {
  const headers = { host, origin: publicOrigin, cookie };
  for (const [path, allow] of [
    ["/dashboard", "GET, HEAD, OPTIONS"],
    ["/login", "GET, HEAD, POST, OPTIONS"],
    ["/nowhere", "GET, HEAD, POST, OPTIONS"],
    ["/api/api-registry/api/v1/apis", "GET, HEAD, POST, OPTIONS"],
  ]) {
    const refused = await ask(portal.origin, path!, { method: "DELETE", headers });
    expect([refused.status, refused.headers.allow], path).toEqual([405, allow]);
    const requested = await ask(portal.origin, path!, { method: "OPTIONS", headers });
    expect([requested.status, requested.headers.allow], path).toEqual([204, allow]);
  }
});

test("forwarding headers of an untrusted peer are warned of once", async () => {
  for (const client of ["203.0.113.5", "203.0.113.6"]) await page("/login", { "x-forwarded-for": client });
  await expect.poll(() => portal.output()).toContain("TRUSTED_PROXIES");
  expect(portal.output().match(/TRUSTED_PROXIES/g)).toHaveLength(1);
  expect((await get("/login", { host: "elsewhere.example.com" })).text).toMatch(/PUBLIC_URL.*TRUSTED_PROXIES/);
});

const internalCalls = [
  "/api/security-service/internal/v1/credentials/open",
  "/api/security-service//internal/v1/credentials/open",
  "/api/security-service/%69nternal/v1/credentials/open",
  "/api/security-service/internal%2fv1/credentials/open",
  "/api/security-service/x/../internal/v1/credentials/open",
  "/api/security-service/./internal/v1/credentials/open",
  "/api//security-service/internal/v1/credentials/open",
  "/API/security-service/internal/v1/credentials/open",
  "/api/security-service/INTERNAL/v1/credentials/open",
  "/api/test-analyzer/internal/v1/judgements",
  "/api/test-executioner/internal/v1/anything",
];

test.each(internalCalls)("an internal call is not found from outside, even by an administrator: %s", async (path) => {
  const response = await ask(portal.origin, path, {
    method: "POST",
    headers: { host, origin: publicOrigin, authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ host: "api.example.com" }),
  });
  // Where the path is none of the API's, it is a page's that does not exist.
  expect([404, 405]).toContain(response.status);
  expect(response.text).not.toContain('"items"');
});

test("an API that does not exist is a problem, not a page", async () => {
  for (const path of ["/api/x", "/api/security-service/api/v1/x", "/api/security-service-2/openapi.json"]) {
    const response = await get(path, { authorization: `Bearer ${token}` });
    expect(response.status).toBe(404);
    expect(response.headers["content-type"]).toBe("application/problem+json");
    expect(JSON.parse(response.text)).toMatchObject({ status: 404, code: "not_found" });
  }
});

test("W02: only the configured host is answered, and no forwarded one is trusted", async () => {
  for (const stranger of ["evil.example", "portal.example.com.evil.example", "127.0.0.1", "portal.example.com:444"]) {
    const response = await get("/login", { host: stranger });
    expect(response.status, stranger).toBe(421);
    expect(response.text).not.toContain("evil");
  }
  const forwarded = {
    "x-forwarded-host": "evil.example:443/path",
    "x-forwarded-proto": "javascript",
    forwarded: "host=evil.example",
    "x-original-url": "/evil",
    "x-rewrite-url": "/evil",
  };
  for (const path of ["/", "/login", "/dashboard", "/nowhere"]) {
    const response = await page(path, forwarded);
    expect(response.text + JSON.stringify(response.headers), path).not.toContain("evil");
  }
  expect((await page("/dashboard", forwarded)).headers.location).toBe("/login?redirectTo=%2Fdashboard");
});

test("W04: every page has a unique nonce, and every script carries its page's", async () => {
  const nonces = new Set<string>();
  const batches = repetitions(5, 50);
  for (let batch = 0; batch < batches; batch++) {
    const responses = await Promise.all(Array.from({ length: 20 }, () => page("/login")));
    for (const { status, headers, text } of responses) {
      expect(status).toBe(200);
      const policy = String(headers["content-security-policy"]);
      const nonce = /script-src 'nonce-([\w+/=]{22,})' 'strict-dynamic'(;|$)/.exec(policy)?.[1] ?? "";
      nonces.add(nonce);
      for (const [tag] of text.matchAll(/<script\b[^>]*>/g)) expect(tag).toContain(`nonce="${nonce}"`);
    }
  }
  expect(nonces.size).toBe(batches * 20);
});

test("W04: the policy of pages allows nothing inline, no plug-in, no other base and no frame", async () => {
  for (const path of ["/", "/login", "/dashboard", "/nowhere"]) {
    const policy = String((await page(path, { cookie })).headers["content-security-policy"]);
    const directives = Object.fromEntries(
      policy.split("; ").map((directive) => [directive.split(" ")[0], directive.split(" ").slice(1).join(" ")]),
    );
    expect(directives, path).toMatchObject({
      "default-src": "'self'",
      "object-src": "'none'",
      "base-uri": "'none'",
      "frame-ancestors": "'none'",
      "form-action": "'self'",
    });
    expect(policy.replace("style-src-attr 'unsafe-inline'", "")).not.toMatch(/unsafe-inline|unsafe-eval|\*|http:/);
  }
});

test("W05: every kind of response says how it may be used", async () => {
  const asset = readdirSync("build/client/assets").find((name) => name.endsWith(".js"));
  const authorization = { authorization: `Bearer ${token}` };
  const results = {
    page: await page("/"),
    "page of somebody signed in": await page("/dashboard", { cookie }),
    "page that does not exist": await page("/nowhere", { cookie }),
    redirect: await page("/dashboard"),
    "refused host": await get("/", { host: "evil.example" }),
    "refused origin": await ask(portal.origin, "/login", { method: "POST", headers: { host } }),
    asset: await page(`/assets/${asset}`),
    "asset that does not exist": await page("/assets/none.js"),
    icon: await page("/favicon.svg"),
    health: await get("/actuator/health"),
    description: await get("/api/test-registry/openapi.json"),
    "API answer": await get("/api/security-service/api/v1/credentials", authorization),
    "API refusal": await get("/api/security-service/api/v1/credentials"),
    "API that does not exist": await get("/api/x"),
  };
  for (const [kind, { headers }] of Object.entries(results)) {
    expect(headers, kind).toMatchObject({
      "x-content-type-options": "nosniff",
      "referrer-policy": "same-origin",
      "cross-origin-opener-policy": "same-origin",
      "strict-transport-security": expect.stringMatching(/^max-age=31536000/),
      "content-security-policy": expect.stringContaining("frame-ancestors 'none'"),
    });
    expect(headers["x-powered-by"] ?? headers.server, kind).toBeUndefined();
  }
  expect(results.asset.headers["cache-control"]).toBe("public, max-age=31536000, immutable");
  expect(results["asset that does not exist"].status).toBe(404);
  expect(String(results["asset that does not exist"].headers["cache-control"])).not.toContain("immutable");
  for (const kind of ["page of somebody signed in", "API answer", "API refusal"] as const) {
    expect(results[kind].headers["cache-control"], kind).toContain("no-store");
  }
});

test("W06: cookies of a portal on HTTPS have the prefix that binds them to it", async () => {
  const response = await ask(portal.origin, "/login", {
    method: "POST",
    headers: { host, origin: publicOrigin, "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({ username: portal.username, password: portal.password }).toString(),
  });
  const cookies = response.headers["set-cookie"] ?? [];
  expect(cookies.length).toBeGreaterThan(1);
  for (const set of cookies) {
    expect(set).toMatch(/; Path=\/.*; Secure/);
    expect(set).toMatch(/; SameSite=Lax/);
    expect(set).not.toMatch(/; Domain=/i);
    expect(Buffer.byteLength(set)).toBeLessThan(4_096);
    if (!set.startsWith("cookiesAccepted=")) expect(set).toMatch(/^__Host-(?:session\.\d+|account)=.*; HttpOnly/);
  }
});
