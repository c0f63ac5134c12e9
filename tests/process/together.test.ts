import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { requireValue } from "../../services/kit/client/client.ts";
import { type Database, openPostgresDatabase } from "../../services/kit/database/database.ts";
import { watchClaims } from "../../services/test-executioner/testing/watched-claims.ts";
import { repetitions, reportFigure } from "../support/endurance.ts";
import { createPetTests, type PetShop, petKeyPrefix, petSteps, startPetShop } from "../support/pet-shop.ts";
import { signInToBackend } from "../support/portal-backend.ts";
import { administrator, type NamedProcess, startTogether, type Together } from "../support/processes-together.ts";
import { signInForCookies } from "../support/raw-request.ts";
import { BalancedBrowser, type WatchedRun, watchRun } from "../support/watched-run.ts";

/** With all repetitions each strike occurs once at each member. */
const rounds = repetitions(1, petSteps.length);

let together: Together;
let database: Database;
let claims: Awaited<ReturnType<typeof watchClaims>>;
let shop: PetShop;
beforeAll(async () => {
  [together, shop] = await Promise.all([startTogether(), startPetShop()]);
  database = await openPostgresDatabase(together.url, { maximumConnections: 2, connectSeconds: 600 });
  claims = await watchClaims(database);
});
afterAll(async () => {
  await database?.close();
  await together?.stop();
  await shop?.stop();
});

/** The state of the run when a process is killed. */
interface Moment {
  step: number;
  executionId: string;
  watched: WatchedRun;
  /** The portal that started the run. */
  starting: NamedProcess;
}

/** Until the claim is committed, the previous member is still in progress. */
async function untilHeld({ executionId }: Moment): Promise<string> {
  await expect.poll(() => claims.getHolder(executionId).catch(() => undefined)).toBeDefined();
  return (await claims.getHolder(executionId))!;
}

/** Replacements of killed processes; they start while requests continue. */
let replacements: Promise<void>[] = [];
function replace(replacement: Promise<void>): void {
  replacement.catch(() => {});
  replacements.push(replacement);
}

async function killHolder(moment: Moment): Promise<void> {
  await Promise.all(replacements);
  const name = await untilHeld(moment);
  await together.kill(together.workers.find((worker) => worker.name === name)!);
  replace(together.startWorker());
  const times = shop.timesAsked(moment.step);
  await claims.endLeases(name);
  await expect.poll(() => shop.timesAsked(moment.step)).toBe(times + 1);
}

async function killPortal(portal: NamedProcess): Promise<void> {
  await Promise.all(replacements);
  await together.kill(portal);
  replace(together.startPortal());
}

async function refusedAgain({ watched }: Moment): Promise<void> {
  const { refusals } = watched;
  await expect.poll(() => watched.refusals).toBeGreaterThan(refusals);
}

const strikes: ((moment: Moment) => Promise<void>)[] = [
  killHolder,
  async function killWhoStreams({ watched }) {
    const { connections } = watched;
    await killPortal(together.portals[0]!);
    await expect.poll(() => watched.connections).toBeGreaterThan(connections);
  },
  async function killBackend(moment) {
    const name = await untilHeld(moment);
    // PostgreSQL restarts when a backend dies like this, and a process that starts meanwhile ends.
    await Promise.all(replacements);
    const { rows } = await sql<{ pid: number }>`
      select pid from pg_stat_activity where application_name = ${name}`.execute(database.kysely);
    process.kill(rows[0]!.pid, "SIGKILL");
  },
  killHolder,
  function killWhoStarted({ starting }) {
    return killPortal(starting);
  },
  async function killPostgres(moment) {
    await untilHeld(moment);
    // A process that starts without a database ends.
    await Promise.all(replacements);
    await together.killPostgres();
    // The watcher reconnects too soon, the response arrives, and the watcher has reconnected too soon again.
    await refusedAgain(moment);
    shop.open(moment.step);
    await refusedAgain(moment);
    together.startPostgres();
  },
];

/** Requested again only where the requesting process died. */
const maxTimes = (strike: (typeof strikes)[number]) => (strike === killHolder ? 2 : 1);

const signIn = (origin: string) => signInToBackend({ origin, ...administrator });

test("two portals, two workers and one PostgreSQL do one run together, and survive the death of each", async () => {
  const { apiId, tests } = await createPetTests(await signIn(together.portals[0]!.origin), shop);
  const runs: string[] = [];
  for (let round = 0; round < rounds; round += 1) {
    shop.begin();
    const [starting, streaming] = together.portals as [NamedProcess, NamedProcess];
    const browser = new BalancedBrowser(
      () => together.portals.map(({ origin }) => origin),
      await signInForCookies(starting.origin, administrator),
    );
    // Requested twice at once, at both.
    const results = await Promise.all(
      [starting, streaming].map(async ({ origin }) => {
        const body = { source: { tests }, order: "sequential" as const, trigger: "manual" as const };
        const headers = { "idempotency-key": `start-of-round-${round}` };
        return requireValue(await (await signIn(origin)).testExecutioner.startRun({ headers, body }), "starting");
      }),
    );
    const [{ id: runId, members }] = results as [(typeof results)[0]];
    expect(results[1]!.id).toBe(runId);
    runs.push(runId);
    const page = `/test-management/${apiId}/runs/${runId}`;
    // The other portal streams from here on.
    together.portals.reverse();
    const watched = watchRun(browser, page);
    await expect.poll(() => watched.connections).toBe(1);

    const struck = petSteps.map((_, step) => strikes[(step + round) % strikes.length]!);
    for (const [step, strike] of struck.entries()) {
      await expect.poll(() => shop.timesAsked(step)).toBe(1);
      await strike({ step, executionId: members.items[step]!.executionId, watched, starting });
      expect(shop.timesAsked(step + 1)).toBe(0);
      shop.open(step);
      // A watcher that reconnects to an ended run gets that event, and reloads the whole page.
      await expect.poll(() => watched.run?.state === "finished" || watched.verdicts.has(step + 1)).toBe(true);
    }
    await expect.poll(() => watched.run?.state).toBe("finished");
    await Promise.all(replacements);
    replacements = [];
    await expectOneRun(apiId, runId, browser, watched);
    for (const [step, strike] of struck.entries()) {
      expect(shop.timesAsked(step), `${petSteps[step]!.name}, ${strike.name}`).toBeLessThanOrEqual(maxTimes(strike));
    }
  }
  await expectOnceEach(runs);
  reportFigure(`runs: ${runs.length}, each killed ${strikes.length} times, none lost, doubled or left unseen`);
});

async function expectOneRun(apiId: string, runId: string, browser: BalancedBrowser, watched: WatchedRun) {
  const passed = {
    state: "finished",
    verdict: "passed",
    counts: { executions: petSteps.length, passed: petSteps.length },
  };
  expect(watched.run).toMatchObject({ id: runId, ...passed });
  // Whichever pet the stored response names, all later requests are about that one.
  const stored = shop.asked.filter(({ step }) => step === 0).at(-1)!.petId!;
  expect(shop.asked.filter(({ step }) => step > 0).every(({ url }) => url === `/pets/${stored}`)).toBe(true);
  expect(shop.asked.map(({ status }) => status)).not.toContain(403);

  const reads = await Promise.all(
    together.portals.map(async ({ origin }) => {
      const { testExecutioner } = await signIn(origin);
      return requireValue(await testExecutioner.getRun({ params: { runId } }), "reading the run");
    }),
  );
  expect(reads).toHaveLength(2);
  expect(reads[1]).toEqual(reads[0]);
  expect(reads[0]).toMatchObject(passed);
  expect(reads[0]!.members.items.map(({ position, verdict }) => [position, verdict])).toEqual(
    petSteps.map((_, step) => [step + 1, "passed"]),
  );
  expect(reads[0]!.captures).toEqual([
    { name: "petId", value: stored, secret: false, type: "string", position: 1 },
    { name: "petKey", value: null, secret: true, type: null, position: 1 },
  ]);
  const pages = await Promise.all(
    together.portals.map(({ origin }) => browser.open(`/test-management/${apiId}/runs/${runId}`, origin)),
  );
  // The browser with the old session is signed in everywhere.
  expect(pages.map(({ status }) => status)).toEqual([200, 200]);
  for (const { text } of pages) expect(text).toContain(`${petSteps.length} passed`);
  expect(`${watched.text} ${JSON.stringify(reads)} ${pages.map(({ text }) => text)}`).not.toContain(petKeyPrefix);
}

async function expectOnceEach(runs: string[]): Promise<void> {
  const all = runs.length * petSteps.length;
  const { rows } = await sql`
    select (select count(*)::int from test_executioner.executions) as executions,
      (select count(distinct (run_id, position))::int from test_executioner.executions) as members,
      (select count(*)::int from test_executioner.execution_details)
        + (select count(*)::int from test_executioner.dated_details) as details,
      (select count(*)::int from test_executioner.unfinished_executions) as unfinished,
      (select count(*)::int from test_executioner.runs) as runs,
      (select sum(passed)::int from test_executioner.execution_counts
        where subject_id in (select test_id from test_executioner.executions)) as counted,
      (select count(*)::int from security_service.sessions where ended_at is not null) as signed_out`.execute(
    database.kysely,
  );
  expect(rows).toEqual([
    { executions: all, members: all, details: all, unfinished: 0, runs: runs.length, counted: all, signed_out: 0 },
  ]);
  const living = [...together.portals, ...together.workers];
  expect(living).toHaveLength(4);
  for (const { program } of living) {
    expect(program.process.exitCode).toBeNull();
    expect(
      program
        .output()
        .split("\n")
        .filter((line) => line.includes('"level":50')),
    ).toEqual([]);
  }
}
