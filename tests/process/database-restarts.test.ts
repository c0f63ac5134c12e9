import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { repetitions, reportFigure } from "../support/endurance.ts";
import { errors, type PortalsAtWork, startPortalsAtWork } from "../support/portals-at-work.ts";
import { ask } from "../support/raw-request.ts";

/** Work that each process completes between two faults, so that every fault interrupts work. */
const rounds = repetitions(2, 20);
const processes = repetitions(2, 3);

let work: PortalsAtWork;
beforeAll(async () => {
  work = await startPortalsAtWork(processes);
});
afterAll(() => work?.stop());

test("D05: processes survive restarts of their database, lose nothing acknowledged, repeat no run and end no watch", async () => {
  const { portals, cluster } = work;
  await work.moreIsDone(rounds);
  for (const strike of Object.values(errors)) {
    await strike(cluster);
    await work.moreIsDone(rounds);
  }
  const { acknowledged, lost, wrong } = await work.settle();
  expect({ lost, wrong }).toEqual({ lost: [], wrong: [] });

  for (const { program, origin, unexpected } of portals) {
    expect(unexpected).toEqual([]);
    expect(program.process.exitCode).toBeNull();
    await expect.poll(async () => (await ask(origin, "/actuator/health")).status).toBe(200);
    expect(
      program
        .output()
        .split("\n")
        .filter((line) => line.includes('"level":50')),
    ).toEqual([]);
    // Logged once when the database goes down and once when it is back, however often it is used meanwhile.
    expect(program.output()).not.toMatch(/(jobs|events|executions|results) could not be/);
  }
  expect(portals.reduce((sum, { refusals }) => sum + refusals, 0)).toBeGreaterThan(0);
  reportFigure(
    `${acknowledged} credentials and runs answered for, none lost; ${portals.reduce((sum, { watched }) => sum + watched, 0)} watched to their end`,
  );
});

test("a process that is stopped while its database is frozen does not wait for it", async () => {
  const { portals, cluster } = work;
  const client = new pg.Client({ connectionString: cluster.url });
  await client.connect();
  const frozen = [cluster.pid()];
  const freeze = (pid: number) => signal(pid, "SIGSTOP");
  try {
    // First what starts a backend for each new connection, so that none is missed.
    frozen.forEach(freeze);
    const { rows } = await client.query("select pid from pg_stat_activity where backend_type = 'client backend'");
    frozen.push(...rows.map(({ pid }) => Number(pid)));
    frozen.forEach(freeze);
    for (const { program } of portals) program.process.kill("SIGTERM");
    expect(await Promise.all(portals.map(({ program }) => program.ended))).toEqual(portals.map(() => 1));
    for (const { program } of portals) expect(program.output()).toContain("the database does not respond");
  } finally {
    for (const pid of frozen) signal(pid, "SIGCONT");
    await client.end();
  }
});

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    // The connection that was listed has ended.
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
