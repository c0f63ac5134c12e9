/**
 * How soon one process learns of changes made by another, on their own PostgreSQL: (a) from a worker's commit of a member's
 * result to the event at a client that watches the run at a portal, at most 1 s; (b) from the response to a sign-out, a
 * disabling or a demotion at one portal to the refusal at the other, at most 2 s. The lower bound: a plain `notify`
 * received by a plain `listen` on the same server, alternating with them.
 * (a) counts from a time that a trigger noted just before the commit, so the commit itself is included.
 *
 *     npm run build && npm run bench:signals
 */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { requireValue } from "../services/kit/client/client.ts";
import { createBackend } from "../tests/support/portal-backend.ts";
import { signInForToken } from "../tests/support/portal-process.ts";
import { administrator, startTogether, type Together } from "../tests/support/processes-together.ts";
import { ask, signInForCookies } from "../tests/support/raw-request.ts";
import { BalancedBrowser } from "../tests/support/watched-run.ts";

const members = 200;
const memberMilliseconds = 50;
const repetitions = 20;
const askEveryMilliseconds = 5;
const print = (line: string) => void process.stdout.write(`${line}\n`);

function getFigures(times: number[]) {
  const sorted = [...times].sort((one, other) => one - other);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!;
  return { count: times.length, p50: at(0.5), p95: at(0.95), max: sorted.at(-1)! };
}

const together = await startTogether();
const target = createServer((_, response) => {
  setTimeout(() => response.writeHead(200, { "content-type": "application/json" }).end("{}"), memberMilliseconds);
}).listen(0, "127.0.0.1");
await once(target, "listening");
const client = new pg.Client({ connectionString: together.url });
const listener = new pg.Client({ connectionString: together.url });
let stopping: Promise<void> | undefined;
function stop(): Promise<void> {
  stopping ??= Promise.all([client.end(), listener.end()])
    .catch(() => {})
    .then(() => together.stop())
    .then(() => {
      target.closeAllConnections();
      target.close();
    });
  return stopping;
}
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => void stop().then(() => process.exit(1)));

try {
  await client.connect();
  await listener.connect();
  await listener.query("listen bench_signals");
  await measure(together);
} finally {
  await stop();
}

async function measure({ portals: [first, second] }: Together): Promise<void> {
  const floor = await measureFloor();
  const events = await measureEvents(first!.origin, second!.origin);
  const refusals = await measureRefusals(first!.origin, second!.origin);
  const floorAgain = await measureFloor();
  const least = getFigures([...floor, ...floorAgain]);
  show("plain notify, heard by a plain listen", least);
  report("a member's result committed by a worker, at who watches at a portal", events, 1_000, least.p50);
  for (const [what, times] of Object.entries(refusals)) {
    report(`${what} at one portal, refused at the other`, times, 2_000, least.p50);
  }
}

function show(what: string, { count, p50, p95, max }: ReturnType<typeof getFigures>, more = ""): void {
  const [half, most, longest] = [p50, p95, max].map((time) => `${time.toFixed(1)} ms`.padStart(10));
  print(`p50 ${half}  p95 ${most}  max ${longest}  ${String(count).padStart(4)} times  ${what}${more}`);
}

function report(what: string, times: number[], limit: number, floor: number): void {
  const figures = getFigures(times);
  const isStored = figures.max <= limit;
  if (!isStored) process.exitCode = 1;
  show(
    what,
    figures,
    `: ${(figures.p50 / floor).toFixed(0)} times the floor, ${isStored ? "within" : "OVER"} ${limit} ms`,
  );
}

/** The peer: from a statement that notifies to a client that listens. */
async function measureFloor(): Promise<number[]> {
  const times: number[] = [];
  for (let number = 0; number < 5 * repetitions; number += 1) {
    const heard = once(listener, "notification");
    const start = performance.now();
    await client.query("select pg_notify('bench_signals', '')");
    await heard;
    times.push(performance.now() - start);
  }
  return times;
}

/** The database runs on this machine and has its clock. */
async function measureEvents(starting: string, streaming: string): Promise<number[]> {
  await client.query("create table commits_seen (position int primary key, at timestamptz)");
  await client.query(`create function note_commit() returns trigger language plpgsql security definer as
    'begin insert into public.commits_seen values (new.position, clock_timestamp()); return null; end'`);
  // The last statement before the commit.
  await client.query(`create constraint trigger note_commit after insert on test_executioner.executions
    deferrable initially deferred for each row execute function note_commit()`);
  const { apiRegistry, testRegistry, testExecutioner } = await signIn(starting);
  const servers = [{ url: `http://127.0.0.1:${(target.address() as AddressInfo).port}` }];
  const paths = { "/": { get: { responses: { 200: { description: "Done" } } } } };
  const document = JSON.stringify({ openapi: "3.1.0", info: { title: "Bench", version: "1" }, servers, paths });
  const { id: apiId } = requireValue(await apiRegistry.registerApi({ body: { source: { document } } }), "registering");
  const data = Array.from({ length: members }, (_, index) => ({ number: String(index) }));
  const created = await testRegistry.createTest({
    params: { apiId },
    body: {
      ...{ name: "Member", method: "GET", path: "/", request: {}, data },
      assertions: [{ source: "statusCode", comparison: "equals", target: 200 }],
    },
  });
  const { id: testId } = requireValue(created, "creating the test");
  const body = { source: { tests: [testId] }, order: "sequential" as const };
  const browser = new BalancedBrowser(() => [streaming], await signInForCookies(streaming, administrator));
  const { id: runId } = requireValue(await testExecutioner.startRun({ body }), "starting");
  const events = browser.listen(`/test-management/${apiId}/runs/${runId}/events`);
  const heard = new Map<number, number>();
  let opened = Number.POSITIVE_INFINITY;
  events.addEventListener("open", () => {
    opened = Date.now();
  });
  events.addEventListener("members", (event) => {
    const now = Date.now();
    for (const { position, verdict } of JSON.parse((event as MessageEvent<string>).data).items) {
      if (verdict && !heard.has(position)) heard.set(position, now);
    }
  });
  while (heard.size < members) await pause(20);
  events.close();
  const { rows } = await client.query<{ position: number; at: Date }>("select position, at from commits_seen");
  // Members that ended before the watch began are reported at once, and are not counted.
  return rows.filter(({ at }) => at.getTime() > opened).map(({ position, at }) => heard.get(position)! - at.getTime());
}

async function signIn(origin: string) {
  return createBackend(origin, await signInForToken({ origin, ...administrator }));
}

/** Each time for a new user, whose token the other portal accepted a moment before. */
async function measureRefusals(changing: string, other: string): Promise<Record<string, number[]>> {
  const times: Record<string, number[]> = { "signed out": [], disabled: [], demoted: [] };
  for (let number = 0; number < repetitions; number += 1) {
    const operator = await signIn(changing);
    for (const change of Object.keys(times)) {
      const visitor = { username: `${change.replace(" ", "-")}-${number}`, password: administrator.password };
      const userId = await createMember(visitor.username);
      const tokens = await fetch(`${changing}/api/security-service/auth/login`, { method: "POST", headers: visitor });
      const { accessToken, refreshToken } = (await tokens.json()) as { accessToken: string; refreshToken: string };
      const headers = { authorization: `Bearer ${accessToken}`, "content-type": "application/json" };
      const write = async () =>
        (await ask(other, "/api/api-registry/api/v1/apis", { method: "POST", headers, body: "{}" })).status;
      if ((await write()) !== 422) throw new Error("The token was not taken before.");
      await {
        "signed out": async () => {
          const body = JSON.stringify({ refreshToken });
          await ask(changing, "/api/security-service/auth/logout", { method: "POST", headers, body });
        },
        disabled: async () => {
          const body = { fullName: "Bench", email: `${visitor.username}@example.com`, disabled: true };
          requireValue(await operator.securityService.changeUser({ params: { userId }, body }), "disabling");
        },
        demoted: async () => {
          const params = { userId };
          await operator.securityService.addUserRoles({ params, body: { roles: ["VIEWER"] } });
          requireValue(
            await operator.securityService.removeUserRoles({ params, body: { roles: ["EDITOR"] } }),
            "demoting",
          );
        },
      }[change]!();
      const start = performance.now();
      while ((await write()) === 422) await pause(askEveryMilliseconds);
      times[change]!.push(performance.now() - start);
    }
  }
  return times;
}

/** A new editor, with the administrator's password. */
async function createMember(username: string): Promise<string> {
  const { rows } = await client.query<{ id: string }>(
    `insert into security_service.users (id, username, username_key, email, email_key, full_name, password_hash, created_at)
     select gen_random_uuid(), $1, $1, $1 || '@example.com', $1 || '@example.com', $1, password_hash, now()
     from security_service.users where username_key = 'admin' returning id`,
    [username],
  );
  await client.query(
    `insert into security_service.memberships (user_id, organization_id, username_key, roles, created_at)
     select $1, organization_id, $2, '{EDITOR}', now() from security_service.memberships where username_key = 'admin'`,
    [rows[0]!.id, username],
  );
  return rows[0]!.id;
}
