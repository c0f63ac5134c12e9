import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { accessNeeded, type PageAccess, routeAccess } from "../../app/session/route-access.ts";
import { type PostgresPortal, startPostgresPortal } from "../support/postgres-portal.ts";
import { ask, type RawResponse, signInForCookies } from "../support/raw-request.ts";

let portal: PostgresPortal;
/** Of the one user, whose roles the tests change. */
let cookie: string;

beforeAll(async () => {
  portal = await startPostgresPortal();
  await giveRoles("{SYSTEM_ADMIN}");
});
afterAll(async () => {
  await portal.stop();
});

/** Signs in with other roles. */
async function giveRoles(roles: string): Promise<void> {
  const client = new pg.Client({ connectionString: portal.database.url });
  await client.connect();
  await client.query("update security_service.memberships set roles = $1", [roles]);
  await client.end();
  cookie = await signInForCookies(portal.origin, portal);
}

const missing = "01900000-0000-7000-8000-000000000000";
/** Every page, at an address that matches it and has no resource: access is decided before any lookup. */
const pages = Object.keys(routeAccess)
  .filter((path) => path !== "/signout" && path !== "/cookie-consent")
  .map((path) => path.replace(/:\w+/g, missing).replace("*", "nowhere"));

function send(path: string, method: string, cookie = ""): Promise<RawResponse> {
  const form = { origin: portal.origin, "content-type": "application/x-www-form-urlencoded" };
  return ask(portal.origin, path, {
    method,
    headers: { cookie, ...(method === "POST" ? form : {}) },
    ...(method === "POST" ? { body: "" } : {}),
  });
}

const leadsToLogin = ({ status, headers }: RawResponse) => status === 303 && headers.location?.startsWith("/login");
/** A page without an action responds to every form with 405, and a route with only an action to every view with 400. */
const isServed = ({ status }: RawResponse) => status !== 405 && status !== 400;

function describe(access: PageAccess, response: RawResponse): string {
  if (leadsToLogin(response)) return "sign in first";
  return response.status === 403 ? "no permission" : access === "public" ? "for everyone" : "may see it";
}

test.each(["GET", "POST"])(
  "on %s, visitors reach public pages and are sent to sign in by all others",
  async (method) => {
    for (const path of pages) {
      const response = await send(path, method);
      if (!isServed(response)) continue;
      const access = accessNeeded({ url: portal.origin + path, method });
      expect(describe(access, response), path).toBe(access === "public" ? "for everyone" : "sign in first");
    }
  },
);

test.each(["GET", "POST"])(
  "on %s, a user who is only an operator reaches operator pages and those of every signed-in user",
  async (method) => {
    for (const path of pages) {
      const response = await send(path, method, cookie);
      if (!isServed(response)) continue;
      const access = accessNeeded({ url: portal.origin + path, method });
      const isTheirs = access === "signed-in" || access === "system:manage";
      const expected = access === "public" ? "for everyone" : isTheirs ? "may see it" : "no permission";
      expect(describe(access, response), path).toBe(expected);
    }
  },
);

test("an administrator is refused nothing", async () => {
  await giveRoles("{SYSTEM_ADMIN,ADMIN}");
  for (const path of pages) {
    expect(describe("signed-in", await send(path, "GET", cookie)), path).toBe("may see it");
  }
});
