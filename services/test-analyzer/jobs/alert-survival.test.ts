import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { repetitions, reportFigure } from "../../../tests/support/endurance.ts";
import { requireValue } from "../../kit/client/client.ts";
import { openPostgresDatabase } from "../../kit/database/database.ts";
import { createTestDatabase } from "../../kit/testing/databases.ts";
import { startNodeProcess } from "../../kit/testing/node-process.ts";
import { startTarget } from "../../test-executioner/testing/target.ts";
import { createExecutionWorld } from "../../test-executioner/testing/world.ts";

const program = fileURLToPath(new URL("../testing/alerting-process.ts", import.meta.url));
const rounds = repetitions(1, 10);
const testsOfRound = 4;
/** After this time a killed process's claim on an event expires. */
const leaseOfEventsSeconds = 61;

interface ReceivedAlert {
  type: string;
  data: { incidents: { id: string }[] };
}

test("J01: kills of three processes between a failure and its alert lose nothing, and each is reported once", async () => {
  const { url, drop } = await createTestDatabase();
  const database = await openPostgresDatabase(url);
  const world = await createExecutionWorld(database, { work: false, withAnalyzer: true });
  const broken = new Set<string>();
  const target = await startTarget((request, response) => {
    response.writeHead(broken.has(request.url!) ? 500 : 200).end("{}");
  });
  const hook = await startTarget((_, response) => void response.writeHead(204).end());
  const tenant = await world.createTenant(target.baseUrl);
  const analyzer = world.testAnalyzer({ token: tenant.token });
  const channel = await analyzer.createChannel({
    body: { kind: "webhook", name: "Hook", enabled: true, url: hook.baseUrl },
  });
  const channelIds = [requireValue(channel, "channel").id];
  requireValue(await analyzer.createRule({ body: { scope: { kind: "organization" }, channelIds } }), "rule");

  const start = () => startNodeProcess(program, url);
  let processes = [start(), start(), start()];
  await Promise.all(processes);
  /** Kills one while it runs tests, handles events, or sends alerts. */
  async function killOne(): Promise<void> {
    await pause(Math.random() * 1_000);
    const [doomed, ...others] = processes;
    await (await doomed!).kill();
    processes = [...others, start()];
  }
  async function run(tests: string[]): Promise<void> {
    const body = { source: { tests }, trigger: "ci" as const };
    const { id: runId } = requireValue(await tenant.client.startRun({ query: {}, body }), "start");
    await killOne();
    const getState = async () =>
      requireValue(await tenant.client.getRun({ params: { runId }, query: {} }), "run").state;
    await expect.poll(getState).toBe("finished");
  }
  for (let round = 0; round < rounds; round += 1) {
    const paths = Array.from({ length: testsOfRound }, (_, index) => `/${round}/${index}`);
    const tests = await Promise.all(paths.map((path) => tenant.createTest({ name: path, path })));
    const ids = tests.map(({ id }) => id);
    for (const path of paths) broken.add(path);
    await run(ids);
    broken.clear();
    await run(ids);
  }
  for (const one of processes) await (await one).kill();
  const last = await startNodeProcess(program, url, String(leaseOfEventsSeconds));
  const waiting = async () => {
    const { rows } = await sql<{ events: number; alerts: number }>`
      select (select count(*)::int from test_executioner.event_deliveries) as events,
        (select count(*)::int from test_analyzer.alert_deliveries where state = 'waiting') as alerts`.execute(
      database.kysely,
    );
    return rows[0];
  };
  await expect.poll(waiting).toEqual({ events: 0, alerts: 0 });
  await last.kill();

  const { items } = requireValue(await analyzer.listIncidents({ query: { limit: 200 } }), "incidents");
  expect(items.map(({ title }) => title).sort()).toEqual(
    Array.from(
      { length: rounds * testsOfRound },
      (_, n) => `/${Math.floor(n / testsOfRound)}/${n % testsOfRound} fails`,
    ).sort(),
  );
  expect(items.every(({ state }) => state === "resolved")).toBe(true);
  /** A message received twice had one id and one content. */
  const messages = new Map<string, string>();
  for (const { headers, text } of hook.requests) {
    const id = String(headers["webhook-id"]);
    expect(messages.get(id) ?? text).toBe(text);
    messages.set(id, text);
  }
  const received = [...messages.values()].flatMap((text) => {
    const { type, data } = JSON.parse(text) as ReceivedAlert;
    return data.incidents.map(({ id }) => `${type} ${id}`);
  });
  expect(received.sort()).toEqual(
    items.flatMap(({ id }) => [`incident.opened ${id}`, `incident.resolved ${id}`]).sort(),
  );
  const kills = 2 * rounds;
  reportFigure(
    `incidents: ${items.length}, kills: ${kills}, lost or told twice: 0; came again: ${hook.requests.length - messages.size}`,
  );
  await world.stop();
  await database.close();
  await target.close();
  await hook.close();
  await drop();
});
