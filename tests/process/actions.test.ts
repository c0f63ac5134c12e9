import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { requireValue } from "../../services/kit/client/client.ts";
import { repetitions } from "../support/endurance.ts";
import { makeWorld } from "../support/made-world.ts";
import { openPayPalSandbox } from "../support/paypal-sandbox.ts";
import { type PortalBackend, signInToBackend } from "../support/portal-backend.ts";
import { mailToNowhere, type PostgresPortal, startPostgresPortal } from "../support/postgres-portal.ts";
import { ask, signInForCookies } from "../support/raw-request.ts";
import { startTargetApi, type TargetApi } from "../support/target-api.ts";

interface BuiltRoute {
  id: string;
  parentId?: string;
  path?: string;
  module: { action?: unknown };
}

let portal: PostgresPortal;
let targetApi: TargetApi;
let sandbox: Awaited<ReturnType<typeof openPayPalSandbox>>;
let backend: PortalBackend;
let cookie: string;
/** Parameters of routes, so that every path leads to an existing resource. */
let ids: Record<string, string>;

beforeAll(async () => {
  [sandbox, targetApi] = await Promise.all([openPayPalSandbox(), startTargetApi()]);
  portal = await startPostgresPortal({ LOG_LEVEL: "warn", ...mailToNowhere, ...sandbox.environment });
  backend = await signInToBackend(portal);
  cookie = await signInForCookies(portal.origin, portal);
  const { executionId, circleId, circleRunId, ...world } = await makeWorld(portal, targetApi);
  const notifications = await backend.portalService.listNotifications();
  const api = requireValue(await backend.apiRegistry.getApi({ params: { apiId: world.apiId } }), "reading the API");
  const subscription = await backend.portalService.createSubscription({ body: { serviceId: "team" } });
  ids = {
    ...world,
    subscriptionId: requireValue(subscription, "subscribing").id,
    address: world.statusAddress,
    testExecutionId: executionId,
    testCircleId: circleId,
    testCircleExecutionId: circleRunId,
    documentId: api.document.id,
    notificationId: requireValue(notifications, "listing notifications")[0]!.id,
    // Of a delivery that does not exist: forms about it are validated before it is looked up.
    paymentDeliveryId: "WH-1",
    // This passkey does not exist either: its forms are validated by their input.
    passkeyId: "01900000-0000-7000-8000-000000000000",
    serviceId: "team",
    domain: "127.0.0.1:1",
    pathName: encodeURIComponent("/books"),
    method: "GET",
    "*": "books/GET",
  };
});
afterAll(async () => {
  await portal.stop();
  await targetApi.stop();
  await sandbox.stop();
});

async function listActionPaths(): Promise<string[]> {
  const build = (await import(pathToFileURL("build/server/index.js").href)) as { routes: Record<string, BuiltRoute> };
  const toPath = (route: BuiltRoute): string => {
    const parent = route.parentId ? build.routes[route.parentId] : undefined;
    return [parent ? toPath(parent) : "", route.path ?? ""].filter(Boolean).join("/");
  };
  return Object.values(build.routes)
    .filter((route) => route.module.action)
    .map((route) =>
      `/${toPath(route)}`.replace(/:(\w+)|\*/g, (match, name: string | undefined) => {
        const value = ids[name ?? match];
        if (value === undefined) throw new Error(`The route ${route.id} has a parameter this test knows nothing of.`);
        return value;
      }),
    );
}

/** Sessions that the reads started. */
const readers = new Set<string>();

async function listOtherSessions({ securityService }: PortalBackend) {
  const result = await securityService.listSessions({ query: { limit: 200 } });
  const { items } = requireValue(result, "listing sessions");
  for (const { id, current } of items) if (current) readers.add(id);
  return { ...result, value: items.filter(({ id }) => !readers.has(id)) };
}

/**
 * Everything that an action could have changed, as far as the API shows it. Each read signs in first: a token is valid
 * for five minutes, and reading takes as long as the machine needs.
 */
async function readState(): Promise<string> {
  const { apiId = "", testId = "", channelId = "" } = ids;
  const backend = await signInToBackend(portal);
  const results = await Promise.all([
    backend.apiRegistry.listApis({ query: { limit: 200 } }),
    backend.apiRegistry.listEnvironments({ params: { apiId } }),
    backend.apiRegistry.listDocuments({ params: { apiId } }),
    backend.testRegistry.listTests({ params: { apiId }, query: { limit: 200 } }),
    backend.testRegistry.listCircles({ query: { limit: 200 } }),
    backend.testRegistry.listSchedules({ query: { limit: 200 } }),
    backend.testRegistry.listMaintenanceWindows({ query: { limit: 200 } }),
    backend.testRegistry.getCalendar(),
    backend.testExecutioner.listExecutions({ params: { testId } }),
    backend.testExecutioner.listRuns({ query: { apiId } }),
    backend.testAnalyzer.listChannels({ query: {} }),
    backend.testAnalyzer.listDeliveries({ params: { channelId }, query: {} }),
    backend.securityService.listCredentials({ query: { limit: 200 } }),
    backend.securityService.listDomains({ query: { limit: 200 } }),
    listOtherSessions(backend),
    backend.securityService.listUsers({ query: { limit: 200 } }),
    backend.portalService.listNotifications(),
    backend.portalService.listSubscriptions({ query: {} }),
    backend.portalService.listOperatedPlans(),
  ]);
  return JSON.stringify(
    results.map((result) =>
      requireValue(result as { ok: true; value: unknown; status: number; response: Response }, "reading"),
    ),
  );
}

function listForgeries(origin: string): Record<string, Record<string, string>> {
  const { port } = new URL(origin);
  return {
    "without origin": {},
    "null origin": { origin: "null" },
    "another site": { origin: "https://evil.example", "sec-fetch-site": "cross-site" },
    "another site, whose browser says nothing": { origin: "https://evil.example" },
    "another port": { origin: `http://127.0.0.1:${Number(port) + 1}`, "sec-fetch-site": "same-site" },
    "another scheme": { origin: `https://127.0.0.1:${port}` },
    "another name of this machine": { origin: `http://localhost:${port}` },
    "a subdomain": { origin: `http://evil.127.0.0.1:${port}` },
    "a name that begins like ours": { origin: `http://127.0.0.1:${port}.evil.example` },
    "a name that ends like ours": { origin: `http://evil.example:${port}` },
    "our origin from another site": { origin, "sec-fetch-site": "cross-site" },
    "our origin from the same site": { origin, "sec-fetch-site": "same-site" },
    "no origin from another site": { "sec-fetch-site": "cross-site" },
    "no origin from nowhere": { "sec-fetch-site": "none" },
    "a forwarded host": { origin: "https://evil.example", "x-forwarded-host": "evil.example" },
    "two origins": { origin: `${origin} https://evil.example` },
  };
}

const methods = ["POST", "PUT", "PATCH", "DELETE"];
const bodies = {
  "application/x-www-form-urlencoded": "intent=delete&dialog=delete&consent=declined&name=forged",
  "multipart/form-data; boundary=b": '--b\r\ncontent-disposition: form-data; name="intent"\r\n\r\ndelete\r\n--b--\r\n',
  "text/plain": '{"intent":"delete"}',
  "application/json": '{"intent":"delete"}',
};

test("W01: a request from another site is refused by every action, and changes nothing", async () => {
  const paths = await listActionPaths();
  expect(paths.length).toBeGreaterThan(8);
  const before = await readState();
  const accepted: string[] = [];
  const forgeries = Object.entries(listForgeries(portal.origin));
  for (const [index, path] of paths.entries()) {
    // The refusal depends on neither path, method nor content type: one forgery per path, with alternating methods
    // and types, covers all pairs of them; `npm run endurance` covers all combinations.
    for (const [turn, [name, headers]] of forgeries.entries()) {
      const all = methods.flatMap((method) => Object.entries(bodies).map(([type, body]) => ({ method, type, body })));
      const some = repetitions(1, all.length);
      for (const { method, type, body } of Array.from(
        { length: some },
        (_, n) => all[(index + turn + n) % all.length]!,
      )) {
        const { status, headers: answered } = await ask(portal.origin, path, {
          method,
          headers: { ...headers, cookie, "content-type": type },
          body,
        });
        if (status !== 403 || answered["set-cookie"]) accepted.push(`${method} ${path} ${name}: ${status}`);
      }
    }
  }
  expect(accepted).toEqual([]);
  expect(await readState()).toBe(before);
});

test("W01: a GET to an action's address changes nothing, whatever method it claims to be", async () => {
  const before = await readState();
  for (const path of await listActionPaths()) {
    const response = await ask(portal.origin, `${path}?intent=delete&_method=DELETE`, {
      headers: { cookie, "x-http-method-override": "POST", "sec-fetch-site": "cross-site" },
    });
    expect(response.status, path).toBeLessThan(500);
  }
  expect(await readState()).toBe(before);
});

test("a body that is no form is refused by every action, and causes no server error", async () => {
  /** Some redirect users or visitors, or first look up the resource in their query. */
  const others = [302, 303, 404];
  for (const path of await listActionPaths()) {
    for (const user of [{ cookie }, {}]) {
      const post = async (type: string, body: string) => {
        const headers = { origin: portal.origin, "content-type": type, ...user };
        return (await ask(portal.origin, path, { method: "POST", headers, body })).status;
      };
      expect([415, ...others], path).toContain(await post("application/json", "{"));
      expect([400, ...others], path).toContain(await post("multipart/form-data; boundary=x", "--y"));
    }
  }
});

test("W01: the same form sent by the portal's own page is accepted", async () => {
  const response = await ask(portal.origin, "/signout", {
    method: "POST",
    headers: {
      origin: portal.origin,
      "sec-fetch-site": "same-origin",
      cookie,
      "content-type": "application/x-www-form-urlencoded",
    },
    body: "",
  });
  expect(response.status).toBe(303);
  expect(String(response.headers["set-cookie"])).toContain("session.0=;");
});
