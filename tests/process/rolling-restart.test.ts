import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../services/kit/testing/databases.ts";
import { startNginx } from "../support/nginx.ts";
import { signInForToken } from "../support/portal-process.ts";
import { type Program, serverProgram, startProgram } from "../support/program.ts";
import { ask } from "../support/raw-request.ts";

const administrator = { username: "admin", password: "correct-horse-battery" };

let location: string;
let database: TestDatabase;
let nginx: Awaited<ReturnType<typeof startNginx>>;
let ports: [number, number];
const portals: Program[] = [];

/** Free ones: the portals keep theirs over a restart. */
async function findPorts(): Promise<[number, number, number]> {
  const servers = [createServer(), createServer(), createServer()];
  const found: number[] = [];
  for (const server of servers) {
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    found.push((server.address() as AddressInfo).port);
  }
  await Promise.all(servers.map((server) => new Promise((closed) => server.close(closed))));
  return found as [number, number, number];
}

async function start(number: 0 | 1): Promise<void> {
  const program = startProgram(serverProgram, {
    PORT: String(ports[number]),
    PUBLIC_URL: nginx.origin,
    TRUSTED_PROXIES: "127.0.0.1",
    DATABASE_URL: database.url,
    DATA_DIRECTORY: join(location, String(number)),
    SECRETS_KEY: "one key for all processes of this installation",
    ADMIN_PASSWORD: administrator.password,
    LOG_LEVEL: "warn",
  });
  portals[number] = program;
  await program.says(/portal is ready at (\S+)/);
}

async function replace(number: 0 | 1): Promise<void> {
  const program = portals[number]!;
  program.process.kill("SIGTERM");
  expect(await program.ended).toBe(0);
  await start(number);
}

beforeAll(async () => {
  location = mkdtempSync(join(tmpdir(), "rolling-restart-"));
  database = await createTestDatabase();
  const [port, ...others] = await findPorts();
  ports = others;
  nginx = await startNginx(port, ports);
  await Promise.all([start(0), start(1)]);
});
afterAll(async () => {
  for (const portal of portals) await portal.kill();
  await nginx?.stop();
  await database?.drop();
  rmSync(location, { recursive: true, force: true });
});

test("portals behind the documented nginx are replaced under traffic: no page or call is lost, no change made twice", async () => {
  const token = await signInForToken({ origin: nginx.origin, ...administrator });
  const authorization = `Bearer ${token}`;
  let rolling = true;
  const unexpected = new Set<string>();
  const created: { name: string; status: number }[] = [];
  let read = 0;
  async function readOn(path: string) {
    while (rolling) {
      const { status, text } = await ask(nginx.origin, path, { headers: { authorization } });
      if (status !== 200) unexpected.add(`GET ${path}: ${status} ${text.slice(0, 100)}`);
      read += 1;
    }
  }
  async function writeOn(writer: number) {
    while (rolling) {
      const name = `Deployment ${writer}-${created.length}`;
      const { status } = await ask(nginx.origin, "/api/test-analyzer/api/v1/marks", {
        method: "POST",
        headers: { authorization, "content-type": "application/json" },
        body: JSON.stringify({ name }),
      });
      created.push({ name, status });
    }
  }
  const traffic = [
    ...["/login", "/contact", "/api/api-registry/api/v1/apis", "/login"].map(readOn),
    ...[1, 2].map(writeOn),
  ];
  await replace(0);
  await replace(1);
  rolling = false;
  await Promise.all(traffic);

  expect([...unexpected]).toEqual([]);
  expect(read).toBeGreaterThan(50);
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const { rows } = await client.query<{ name: string; times: number }>(
    "select name, count(*)::int as times from test_analyzer.marks group by name",
  );
  await client.end();
  const times = new Map(rows.map((row) => [row.name, row.times]));
  expect(rows.filter((row) => row.times > 1)).toEqual([]);
  expect(created.filter(({ name, status }) => status === 201 && times.get(name) !== 1)).toEqual([]);
  expect(created.filter(({ status }) => status === 201).length).toBeGreaterThan(10);
}, 600_000);
