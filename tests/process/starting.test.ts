import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { signInForToken } from "../support/portal-process.ts";
import { endWhenItSays, type Program, serverProgram, startCommand, startProgram } from "../support/program.ts";

let location: string;
const started: Program[] = [];

beforeAll(() => {
  location = mkdtempSync(join(tmpdir(), "portal-starting-"));
});
afterEach(async () => {
  for (const program of started.splice(0)) await program.kill();
});
afterAll(() => rmSync(location, { recursive: true, force: true }));

function start(environment: Record<string, string>): Program {
  const program = startProgram(serverProgram, environment);
  started.push(program);
  return program;
}

async function stop(program: Program): Promise<void> {
  program.process.kill("SIGTERM");
  expect(await program.ended).toBe(0);
}

test.each([
  ["PORT", "eighty", "PORT needs a port number from 0 to 65535"],
  ["PUBLIC_URL", "portal.example.com", "PUBLIC_URL needs an address that starts with http:// or https://"],
  ["RUN", "portal", "RUN needs all of portal, worker and scheduler without DATABASE_URL"],
  ["EGRESS_ALLOW", "10.0.0.0/33:80", 'EGRESS_ALLOW has "10.0.0.0/33:80"'],
  ["TRUSTED_PROXIES", "10.0.0.0/40", "TRUSTED_PROXIES needs IP addresses or CIDR ranges"],
  ["DATABASE_URL", "postgresql://localhost/portal", "SECRETS_KEY is needed with DATABASE_URL"],
  ["TEST_ANALYZER_URL", "analyzer", "TEST_ANALYZER_URL needs an address that starts with http:// or https://"],
])("%s=%s ends the start with the name of the variable and writes nothing", async (name, value, sentence) => {
  const dataDirectory = join(location, "never-made");
  const program = start({ DATA_DIRECTORY: dataDirectory, [name]: value });
  expect(await program.ended).toBe(1);
  expect(program.output()).toContain(sentence);
  expect(program.output()).not.toMatch(/\n\s+at /);
  expect(existsSync(dataDirectory)).toBe(false);
});

test("an unresponsive database ends the start with the variable's name, without the password", async () => {
  const program = start({
    DATA_DIRECTORY: join(location, "never-made"),
    DATABASE_URL: "postgresql://portal:hush-hush@127.0.0.1:1/portal",
    SECRETS_KEY: "k".repeat(44),
  });
  expect(await program.ended).toBe(1);
  expect(program.output()).toMatch(/^DATABASE_URL leads to no PostgreSQL that lets us in: .*ECONNREFUSED/m);
  expect(program.output()).not.toMatch(/hush|\n\s+at /);
});

test("a data folder that cannot be created ends the start with the remedy", async () => {
  const program = start({ DATA_DIRECTORY: "/dev/null/data" });
  expect(await program.ended).toBe(1);
  expect(program.output()).toMatch(/^The data folder \/dev\/null\/data cannot be used: .* set DATA_DIRECTORY/);
});

test("the first start shows the administrator's password once; later ones find everything, also in a copy, and refuse other keys", async () => {
  const environment = { DATA_DIRECTORY: join(location, "kept") };
  const first = start(environment);
  const password = await first.says(/^Sign in as admin with the password (\S+)$/m);
  const origin = await first.says(/^The portal is ready at (http:\/\/127\.0\.0\.1:\d+)$/m);
  expect(first.output().split(password)).toHaveLength(2);
  const token = await signInForToken({ origin, username: "admin", password });

  // D03, on the process as a whole.
  const second = start(environment);
  expect(await second.ended).toBe(1);
  expect(second.output()).toContain(`is in use by process ${first.process.pid}. Stop it first`);
  await stop(first);
  expect(first.output()).not.toMatch(/"level":[456]0/);

  const other = start({ ...environment, SECRETS_KEY: "another key that nothing was sealed with" });
  expect(await other.ended).toBe(1);
  expect(other.output()).toContain("The secrets stored here were sealed with another SECRETS_KEY.");
  expect(other.output()).not.toMatch(/\n\s+at /);

  const occupied = createServer().listen(0, "127.0.0.1");
  await new Promise((listening) => occupied.once("listening", listening));
  const { port } = occupied.address() as { port: number };
  const unheard = start({ ...environment, PORT: String(port) });
  expect(await unheard.ended).toBe(1);
  expect(unheard.output()).toContain(`PORT ${port} on 127.0.0.1 is taken by another program. Set PORT to a free one.`);
  occupied.close();

  // As docs/operations.md backs the embedded default up and restores it.
  const backup = join(location, "backup");
  execFileSync("cp", ["-a", environment.DATA_DIRECTORY, backup]);
  const again = start({ DATA_DIRECTORY: backup, ADMIN_PASSWORD: "ignored-from-now-on" });
  const secondOrigin = await again.says(/ready at (\S+)/);
  await again.says(/the password is in (\S+administrator-password\.txt)/);
  expect(again.output()).not.toContain(password);
  expect(readFileSync(join(backup, "administrator-password.txt"), "utf8").trim()).toBe(password);
  expect(await signInForToken({ origin: secondOrigin, username: "admin", password })).toMatch(/^ey/);
  // The signing key is the same one: existing sessions remain valid.
  const organization = await fetch(`${secondOrigin}/api/portal-service/api/v1/current-organization`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(organization.status).toBe(200);
  await stop(again);
});

test("a process that is stopped at the very moment when it says that it is ready ends well", async () => {
  const program = start({ DATA_DIRECTORY: join(location, "ended-at-once"), ...endWhenItSays("is ready at") });
  expect(await program.ended).toBe(0);
  expect(program.output()).toContain("stopped");
});

test("only its owner can access the data folder, also when it existed before and was open to all", async () => {
  const dataDirectory = join(location, "private");
  mkdirSync(dataDirectory);
  chmodSync(dataDirectory, 0o755);
  const program = start({ DATA_DIRECTORY: dataDirectory });
  await program.says(/ready at (\S+)/);
  expect(statSync(dataDirectory).mode & 0o777).toBe(0o700);
  const entries = readdirSync(dataDirectory, { recursive: true }).map(String);
  expect(entries).toContain("database/PG_VERSION");
  // The engine sets its own modes on a few files that it creates while it runs; the folder protects them.
  expect(statSync(join(dataDirectory, "database")).mode & 0o777).toBe(0o700);
  const open = entries.filter((entry) => {
    const stats = lstatSync(join(dataDirectory, entry));
    return !entry.startsWith("database/") && !stats.isSymbolicLink() && (stats.mode & 0o077) !== 0;
  });
  expect(open).toEqual([]);
  await stop(program);
});

test("ending `npm start` ends the portal, too", async () => {
  const program = startCommand(["npm", "start"], { DATA_DIRECTORY: join(location, "npm-start") });
  started.push(program);
  await program.says(/ready at (\S+)/);
  program.process.kill("SIGTERM");
  // Its output closes when the last process with it has ended.
  await program.ended;
  expect(program.output()).toContain("stopped");
});
