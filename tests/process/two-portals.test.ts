import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { createSealer } from "../../app/session/sealed-value.server";
import { createTestDatabase, type TestDatabase } from "../../services/kit/testing/databases.ts";
import { type Program, serverProgram, startProgram } from "../support/program.ts";
import { ask, type RawResponse, signInForCookies } from "../support/raw-request.ts";

const administrator = { username: "admin", password: "correct-horse-battery" };
const secretsKey = "one key for all processes of this installation";

let location: string;
let database: TestDatabase;
let client: pg.Client;
const portals: Program[] = [];
let first: string;
let second: string;

async function startPortal(): Promise<string> {
  const program = startProgram(serverProgram, {
    DATABASE_URL: database.url,
    DATA_DIRECTORY: join(location, `data-${portals.length}`),
    SECRETS_KEY: secretsKey,
    ADMIN_PASSWORD: administrator.password,
    RUN: "portal",
  });
  portals.push(program);
  return await program.says(/portal is ready at (\S+)/);
}

beforeAll(async () => {
  location = mkdtempSync(join(tmpdir(), "two-portals-"));
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  [first, second] = await Promise.all([startPortal(), startPortal()]);
});
afterAll(async () => {
  for (const portal of portals) await portal.kill();
  await client?.end();
  await database?.drop();
  rmSync(location, { recursive: true, force: true });
});

const storedSession = z.looseObject({
  auth: z.looseObject({
    accessToken: z.string(),
    refreshToken: z.string(),
    expiresAt: z.number(),
    roles: z.array(z.string()),
  }),
});
type StoredSession = z.infer<typeof storedSession>;
const sealer = createSealer(storedSession, secretsKey, "session cookie");

function sealedIn(cookies: string[]): StoredSession {
  const value = /session\.0=([^;]+)/.exec(cookies.join("; "))?.[1] ?? "";
  const stored = sealer.open(value);
  if (!stored) throw new Error(`No session in ${cookies.join("; ")}`);
  return stored;
}

/** A browser whose access token expires at this moment. */
async function signInAtTheEndOfAToken(): Promise<{ cookie: string; refreshToken: string }> {
  const cookie = await signInForCookies(first, administrator);
  const stored = sealedIn([cookie]);
  stored.auth.expiresAt = Math.floor(Date.now() / 1_000);
  return { cookie: getCookie(stored), refreshToken: stored.auth.refreshToken };
}

const getCookie = (stored: StoredSession) => `cookiesAccepted=Y; session.0=${sealer.seal(stored, 36_000)}`;
const openProfile = (origin: string, cookie: string) => ask(origin, "/profile", { headers: { cookie } });

function refreshTokenIn(response: RawResponse): string {
  const cookies = response.headers["set-cookie"] ?? [];
  expect(cookies.filter((cookie) => cookie.includes("Max-Age=0"))).toEqual([]);
  return sealedIn(cookies).auth.refreshToken;
}

test("A02: sixty requests over two portals with one expired token all stay signed in, as one family with one line of tokens", async () => {
  const { cookie } = await signInAtTheEndOfAToken();
  const before = await countLivingSessions();
  const responses = await Promise.all(
    Array.from({ length: 60 }, (_, number) => openProfile(number % 2 ? first : second, cookie)),
  );
  expect(responses.map(({ status }) => status)).toEqual(Array(60).fill(200));
  const successors = new Set(responses.map(refreshTokenIn));
  expect(successors.size).toBe(1);
  expect(await countLivingSessions()).toBe(before);
});

test("A02: a browser that still sends the old cookie a minute later, to the other portal, stays signed in", async () => {
  const { cookie } = await signInAtTheEndOfAToken();
  const successor = refreshTokenIn(await openProfile(first, cookie));
  await client.query("update security_service.refresh_tokens set used_at = used_at - interval '60 seconds'");
  const late = await openProfile(second, cookie);
  expect(late.status).toBe(200);
  expect(refreshTokenIn(late)).toBe(successor);
});

async function signInForTokens(origin: string, visitor = administrator) {
  const response = await fetch(`${origin}/api/security-service/auth/login`, { method: "POST", headers: visitor });
  return (await response.json()) as { accessToken: string; refreshToken: string };
}

const call = (origin: string, token: string, path: string, method = "GET", body?: object) =>
  ask(origin, path, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
const listApis = async (origin: string, token: string) =>
  (await call(origin, token, "/api/api-registry/api/v1/apis")).status;

/** Polls until the response matches; the timeout of the test is the limit. */
async function until<T>(read: () => Promise<T>, fits: (value: T) => boolean): Promise<T> {
  for (;;) {
    const value = await read();
    if (fits(value)) return value;
    await pause(50);
  }
}

test("A03: after signing out the access token is refused at once there, and soon in the other process", async () => {
  const { accessToken, refreshToken } = await signInForTokens(first);
  const signOut = { refreshToken };
  expect(await listApis(second, accessToken)).toBe(200);
  expect((await call(first, accessToken, "/api/security-service/auth/logout", "POST", signOut)).status).toBe(204);
  expect(await listApis(first, accessToken)).toBe(401);
  await until(
    () => listApis(second, accessToken),
    (status) => status === 401,
  );
});

test("A03: a page of an ended session leads to the login in the other process, with its cookie removed", async () => {
  const cookie = await signInForCookies(second, administrator);
  const stored = sealedIn([cookie]);
  await call(first, stored.auth.accessToken, "/api/security-service/auth/logout", "POST", {
    refreshToken: stored.auth.refreshToken,
  });
  const response = await until(
    () => openProfile(second, cookie),
    ({ status }) => status !== 200,
  );
  expect(response.status).toBe(303);
  expect(response.headers.location).toBe("/login?redirectTo=%2Fprofile");
  expect(response.headers["set-cookie"]).toEqual([expect.stringContaining("Max-Age=0")]);
});

test("A03: a revoked role removes its scopes from issued tokens, at once there and soon elsewhere", async () => {
  const { accessToken: operator } = await signInForTokens(first);
  const member = await createMember("ada");
  const { accessToken } = await signInForTokens(second, member);
  const cookie = await signInForCookies(second, member);
  const register = (origin: string) => call(origin, accessToken, "/api/api-registry/api/v1/apis", "POST", {});
  expect((await register(second)).status).toBe(422);
  const roles = `/api/security-service/api/v1/users/${member.userId}/roles`;
  expect((await call(first, operator, roles, "POST", { roles: ["VIEWER"] })).status).toBe(200);
  expect((await call(first, operator, roles, "DELETE", { roles: ["EDITOR"] })).status).toBe(200);
  expect((await register(first)).status).toBe(403);
  await until(
    () => register(second),
    ({ status }) => status === 403,
  );
  expect(await listApis(second, accessToken)).toBe(200);
  // The page's own guard follows, with a session that continues.
  const page = await until(
    () => ask(second, "/api-management/register", { headers: { cookie } }),
    ({ status }) => status === 403,
  );
  expect(sealedIn(page.headers["set-cookie"] ?? []).auth).toMatchObject({ roles: ["VIEWER"] });
});

test("A03: a disabled account is refused by every process, with its issued tokens", async () => {
  const { accessToken: operator } = await signInForTokens(first);
  const member = await createMember("grace");
  const { accessToken } = await signInForTokens(second, member);
  const change = { fullName: "Grace", email: "grace@example.com", disabled: true };
  const disabled = await call(first, operator, `/api/security-service/api/v1/users/${member.userId}`, "PUT", change);
  expect(disabled.status).toBe(200);
  expect(await listApis(first, accessToken)).toBe(401);
  await until(
    () => listApis(second, accessToken),
    (status) => status === 401,
  );
});

/** Another user of the administrator's organization, an editor with the administrator's password. */
async function createMember(username: string) {
  const userId = randomUUID();
  await client.query(
    `insert into security_service.users (id, username, username_key, email, email_key, full_name, password_hash, created_at)
     select $1, $2, $2, $2 || '@example.com', $2 || '@example.com', $2, password_hash, now()
     from security_service.users where username_key = 'admin'`,
    [userId, username],
  );
  await client.query(
    `insert into security_service.memberships (user_id, organization_id, username_key, roles, created_at)
     select $1, organization_id, $2, '{EDITOR}', now() from security_service.memberships where username_key = 'admin'`,
    [userId, username],
  );
  return { userId, username, password: administrator.password };
}

async function countLivingSessions(): Promise<number> {
  const { rows } = await client.query(
    "select count(*)::int as count from security_service.sessions where ended_at is null",
  );
  return rows[0].count;
}
