import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { repetitions, reportFigure } from "../../../tests/support/endurance.ts";
import { type Database, openEmbeddedDatabase, openPostgresDatabase } from "../database/database.ts";
import { createEmbeddedFolder, createTestDatabase } from "../testing/databases.ts";
import { nodeArguments } from "../testing/node-process.ts";

const kills = repetitions(1, 10);
const program = fileURLToPath(new URL("./testing/publisher-process.ts", import.meta.url));

/** Starts the publisher, lets it publish and deliver for a while, and kills it. */
async function publishUntilKilled(location: string): Promise<void> {
  const child = spawn(process.execPath, nodeArguments(program, location), { stdio: ["ignore", "pipe", "inherit"] });
  await once(child.stdout, "data");
  await new Promise((resolve) => setTimeout(resolve, 200 + Math.random() * 600));
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
}

async function finish(location: string): Promise<void> {
  const child = spawn(process.execPath, nodeArguments(program, location, "--finish"), { stdio: "inherit" });
  const [code] = await once(child, "exit");
  expect(code).toBe(0);
}

async function expectEachOnceInOrder(database: Database): Promise<void> {
  const { rows: causes } = await sql<{ number: number }>`
    select number from publisher.causes order by number`.execute(database.kysely);
  const { rows: effects } = await sql<{ number: number; resource: string }>`
    select number, resource from publisher.effects order by position`.execute(database.kysely);
  expect(causes.length).toBeGreaterThanOrEqual(kills);
  expect(effects.map(({ number }) => number).sort((one, other) => one - other)).toEqual(
    causes.map(({ number }) => number),
  );
  for (const resource of new Set(effects.map((effect) => effect.resource))) {
    const numbers = effects.filter((effect) => effect.resource === resource).map(({ number }) => number);
    expect(numbers).toEqual([...numbers].sort((one, other) => one - other));
  }
  reportFigure(`events on ${database.engine}: ${causes.length}, kills: ${kills}, lost, doubled or out of order: 0`);
}

test("on a folder, kills between cause and effect lose, duplicate and reorder nothing", async () => {
  const folder = await createEmbeddedFolder();
  for (let number = 0; number < kills; number += 1) await publishUntilKilled(folder.path);
  await finish(folder.path);
  const database = await openEmbeddedDatabase(folder.path);
  await expectEachOnceInOrder(database);
  await database.close();
  folder.remove();
});

test("on PostgreSQL, kills between cause and effect lose, duplicate and reorder nothing", async () => {
  const { url, drop } = await createTestDatabase();
  for (let number = 0; number < kills; number += 1) await publishUntilKilled(url);
  await finish(url);
  const database = await openPostgresDatabase(url);
  await expectEachOnceInOrder(database);
  await database.close();
  await drop();
});
