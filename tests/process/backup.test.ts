import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  listCredentials,
  miscounts,
  type PortalsAtWork,
  startPortalOn,
  startPortalsAtWork,
  untilFinished,
} from "../support/portals-at-work.ts";

const run = promisify(execFile);
const rounds = 5;

let location: string;
let work: PortalsAtWork;
beforeAll(async () => {
  location = mkdtempSync(join(tmpdir(), "portal-backup-"));
  work = await startPortalsAtWork(2);
});
afterAll(async () => {
  await work?.stop();
  rmSync(location, { recursive: true, force: true });
});

/** As docs/operations.md describes, with the same commands. */
async function restoreADump(url: string): Promise<string> {
  const dump = join(location, "portal.dump");
  await run("pg_dump", ["--format=custom", `--file=${dump}`, url]);
  const restored = new URL(url);
  restored.pathname = "/portal_restored";
  await run("createdb", [`--maintenance-db=${url}`, "portal_restored"]);
  await run("pg_restore", [`--dbname=${restored.href}`, "--no-owner", "--no-privileges", "--exit-on-error", dump]);
  return restored.href;
}

test("D06: a dump made while users write and run is one snapshot, in which nothing acknowledged is missing", async () => {
  const { portals, cluster } = work;
  await work.moreIsDone(rounds);
  const credentials = portals.flatMap((portal) => portal.credentials);
  const runs = portals.flatMap((portal) => portal.runs);
  const url = await restoreADump(cluster.url);
  await work.moreIsDone(rounds);

  const client = new pg.Client({ connectionString: url });
  await client.connect();
  // Executions in progress at that moment are resumed when their lease expires: in the test now, instead of in a minute.
  await client.query("update test_executioner.unfinished_executions set leased_until = now() where state = 'running'");
  const { rows: waiting } = await client.query("select id from test_executioner.unfinished_executions");
  await client.end();

  const another = startPortalOn(url, join(location, "another key"), "another key that nothing was sealed with");
  await expect(another).rejects.toThrow("The secrets stored here were sealed with another SECRETS_KEY.");

  const { program, backend } = await startPortalOn(url, join(location, "restored"));
  const stored = await listCredentials(backend);
  expect(credentials.filter((name) => !stored.has(name))).toEqual([]);
  for (const id of [...runs, ...waiting.map((row) => row.id)]) expect(await untilFinished(backend, id)).toBe("passed");
  expect(await miscounts(url)).toEqual([]);
  await program.kill();
  // The original was not affected by the dump.
  expect(await work.settle()).toMatchObject({ lost: [], wrong: [] });
});
