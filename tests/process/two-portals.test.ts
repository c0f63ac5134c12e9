import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createSealer } from "../../app/session/sealed-value.server";
import { createTestDatabase, type TestDatabase } from "../../services/kit/testing/databases.ts";
import { type Program, serverProgram, startProgram } from "../support/program.ts";
import { ask, type RawAnswer, signInForCookies } from "../support/raw-request.ts";

const administrator = { username: "admin", password: "correct-horse-battery" };
const secretsKey = "one key for all processes of this installation";

let place: string;
let database: TestDatabase;
let client: pg.Client;
const portals: Program[] = [];
let first: string;
let second: string;

async function startPortal(): Promise<string> {
  const program = startProgram(serverProgram, {
    DATABASE_URL: database.url,
    DATA_DIRECTORY: join(place, `data-${portals.length}`),
    SECRETS_KEY: secretsKey,
    ADMIN_PASSWORD: administrator.password,
    RUN: "portal",
  });
  portals.push(program);
  return await program.says(/portal is ready at (\S+)/);
}

beforeAll(async () => {
  place = mkdtempSync(join(tmpdir(), "two-portals-"));
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  [first, second] = await Promise.all([startPortal(), startPortal()]);
});
afterAll(async () => {
  for (const portal of portals) await portal.kill();
  await client?.end();
  await database?.drop();
  rmSync(place, { recursive: true, force: true });
});

interface StoredSession {
  auth: { accessToken: string; refreshToken: string; expiresAt: number };
}
const sealer = createSealer<StoredSession>(secretsKey, "session cookie");

function sealedIn(cookies: string[]): StoredSession {
  const value = /session\.0=([^;]+)/.exec(cookies.join("; "))?.[1] ?? "";
  const stored = sealer.open(value);
  if (!stored) throw new Error(`No session in ${cookies.join("; ")}`);
  return stored;
}

/** A browser whose access token ends at this moment. */
async function signInAtTheEndOfAToken(): Promise<{ cookie: string; refreshToken: string }> {
  const cookie = await signInForCookies(first, administrator);
  const stored = sealedIn([cookie]);
  stored.auth.expiresAt = Math.floor(Date.now() / 1_000);
  return { cookie: cookieOf(stored), refreshToken: stored.auth.refreshToken };
}

const cookieOf = (stored: StoredSession) => `cookiesAccepted=Y; session.0=${sealer.seal(stored, 36_000)}`;
const openProfile = (origin: string, cookie: string) => ask(origin, "/profile", { headers: { cookie } });

function refreshTokenIn(answer: RawAnswer): string {
  const cookies = answer.headers["set-cookie"] ?? [];
  expect(cookies.filter((cookie) => cookie.includes("Max-Age=0"))).toEqual([]);
  return sealedIn(cookies).auth.refreshToken;
}

test("A02: sixty requests over two portals with one ended token all stay signed in, as one family with one line of tokens", async () => {
  const { cookie } = await signInAtTheEndOfAToken();
  const before = await countLivingSessions();
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, number) => openProfile(number % 2 ? first : second, cookie)),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array(60).fill(200));
  const successors = new Set(answers.map(refreshTokenIn));
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

async function countLivingSessions(): Promise<number> {
  const { rows } = await client.query(
    "select count(*)::int as count from security_service.sessions where ended_at is null",
  );
  return rows[0].count;
}
