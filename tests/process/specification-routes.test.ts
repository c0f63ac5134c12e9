import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { requireValue } from "../../services/kit/client/client.ts";
import { makeWorld } from "../support/made-world.ts";
import { openPayPalSandbox } from "../support/paypal-sandbox.ts";
import { signInToBackend } from "../support/portal-backend.ts";
import { mailToNowhere, type PostgresPortal, startPostgresPortal } from "../support/postgres-portal.ts";
import { ask, signInForCookies } from "../support/raw-request.ts";
import { startTargetApi, type TargetApi } from "../support/target-api.ts";

/** Section 2 of the specification, one address per line. */
const routes = readFileSync("tests/fixtures/specification/routes.txt", "utf8").trim().split("\n");

const toTypeSelection = "302 /registration-type-selection";
const toDashboard = "302 /dashboard";

/** The responses to a visitor; everything else requires a sign-in first. */
const forVisitors: Record<string, string> = {
  "/": "200",
  "/login": "200",
  "/signout": "200",
  "/signup": toTypeSelection,
  "/self-registration": toTypeSelection,
  "/register": "200",
  "/registration-type-selection": "200",
  "/create-account-individual": "200",
  "/create-account-individual-success": "200",
  // Without the link from an email there is nothing to complete, which the page says.
  "/complete-individual-account-registration": "404",
  "/create-account-organization": "200",
  "/create-account-organization-success": "200",
  "/complete-organization-account-registration": "404",
  "/privacy-policy": "200",
  "/terms-and-conditions": "200",
  "/legal": "200",
  "/contact": "200",
  "/about": "200",
};

/** The differences for a signed-in user; everything else is 200 for an administrator. */
const forViewers: Record<string, string> = {
  // Without PayPal's parameters there is no subscription to ask about.
  "/subscriptions/paypal/return": "303 /billing",
  "/login": toDashboard,
  "/signup": toDashboard,
  "/self-registration": toDashboard,
  "/register": toDashboard,
  "/registration-type-selection": toDashboard,
  "/create-account-individual": toDashboard,
  "/create-account-individual-success": toDashboard,
  "/create-account-organization": toDashboard,
  "/create-account-organization-success": toDashboard,
  "/complete-individual-account-registration": "404",
  "/complete-organization-account-registration": "404",
};

let portal: PostgresPortal;
let targetApi: TargetApi;
let sandbox: Awaited<ReturnType<typeof openPayPalSandbox>>;
let cookie: string;
let ids: Record<string, string>;

beforeAll(async () => {
  [sandbox, targetApi] = await Promise.all([openPayPalSandbox(), startTargetApi()]);
  portal = await startPostgresPortal({ ...mailToNowhere, ...sandbox.environment });
  cookie = await signInForCookies(portal.origin, portal);
  const { executionId, circleId, circleRunId, ...world } = await makeWorld(portal, targetApi);
  const { portalService } = await signInToBackend(portal);
  const subscription = await portalService.createSubscription({ body: { serviceId: "team" } });
  ids = {
    ...world,
    subscriptionId: requireValue(subscription, "subscribing").id,
    testCircleId: circleId,
    testCircleExecutionId: circleRunId,
    testExecutionId: executionId,
    domain: "127.0.0.1:1",
    pathName: encodeURIComponent("/books"),
    method: "get",
  };
});
afterAll(async () => {
  await portal.stop();
  await targetApi.stop();
  await sandbox.stop();
});

const getAddress = (route: string) =>
  route.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? "01900000-0000-7000-8000-000000000000");

/** Status, and the target of a redirect. */
async function visit(route: string, headers: Record<string, string> = {}): Promise<string> {
  const response = await ask(portal.origin, getAddress(route), { headers });
  return [response.status, response.headers.location].filter(Boolean).join(" ");
}

test("the specification has 58 routes", () => {
  expect(routes).toHaveLength(58);
});

test("a visitor of any route of the specification gets its page, or signs in and comes back", async () => {
  for (const route of routes) {
    const address = getAddress(route);
    const expected = forVisitors[route] ?? `303 /login?redirectTo=${encodeURIComponent(address)}`;
    expect(await visit(route), route).toBe(expected);
  }
});

test("a signed-in user gets every route's page, and is redirected from those for visitors", async () => {
  for (const route of routes) {
    expect(await visit(route, { cookie }), route).toBe(forViewers[route] ?? "200");
  }
});
