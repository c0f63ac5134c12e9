import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openPostgresDatabase } from "../database/database.ts";
import { notify } from "../database/notifications.ts";
import { createTestDatabase } from "../testing/databases.ts";
import { startNatsServer } from "../testing/nats-server.ts";
import { Nats, readNatsUrl } from "./nats.ts";
import type { Offer } from "./offers.ts";

const log = { info() {}, warn() {} };

let server: Awaited<ReturnType<typeof startNatsServer>>;
beforeAll(async () => {
  server = await startNatsServer();
});
afterAll(() => server.stop());

let count = 0;
const nameInstallation = () => `test${++count}`;

async function connect(installation: string, more: object = {}): Promise<Nats> {
  const nats = new Nats({ url: server.url, installation, log, ...more });
  await expect.poll(() => nats.isConnected).toBe(true);
  return nats;
}

test("a commit's notifications reach other processes by NATS, and its own process once", async () => {
  const { url, drop } = await createTestDatabase();
  const installation = nameInstallation();
  const carriers = [await connect(installation), await connect(installation), await connect(nameInstallation())];
  const [here, there, other] = await Promise.all(carriers.map((carrier) => openPostgresDatabase(url, { carrier })));
  const heard = { here: [] as unknown[], there: [] as unknown[], other: [] as unknown[] };
  await here!.subscribe("shared", (payload) => heard.here.push(payload));
  await there!.subscribe("shared", (payload) => heard.there.push(payload));
  await other!.subscribe("shared", (payload) => heard.other.push(payload));
  await here!.kysely.transaction().execute((transaction) => notify(transaction, "shared", "a"));
  await expect.poll(() => heard.there).toEqual(["a"]);
  await there!.kysely.transaction().execute((transaction) => notify(transaction, "shared", "b"));
  await expect.poll(() => heard.here).toEqual(["a", "b"]);
  expect(heard.there).toEqual(["a", "b"]);
  // Another installation on the same cluster.
  expect(heard.other).toEqual([]);
  for (const database of [here, there, other]) await database!.close();
  for (const carrier of carriers) await carrier.close();
  await drop();
});

test("notifications of database triggers arrive by the database, and those of offered channels stay in their process", async () => {
  const { url, drop } = await createTestDatabase();
  const installation = nameInstallation();
  const options = { offeredChannels: ["work"], databaseChannels: ["triggered"] };
  const carriers = [await connect(installation, options), await connect(installation, options)];
  const [here, there] = await Promise.all(carriers.map((carrier) => openPostgresDatabase(url, { carrier })));
  const heard: string[] = [];
  for (const [name, database] of Object.entries({ here, there }))
    for (const channel of ["work", "triggered", "announced"])
      await database!.subscribe(channel, (payload) => heard.push(`${name} ${channel} ${payload}`));
  await notify(here!.kysely, "work", "a");
  await notify(here!.kysely, "announced", "b");
  await expect.poll(() => heard).toContain("there announced b");
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query("select pg_notify('triggered', 'c')");
  await expect
    .poll(() => heard.sort())
    .toEqual([
      ...["here announced b", "here triggered c", "here work a"],
      ...["there announced b", "there triggered c"],
    ]);
  await client.end();
  for (const database of [here, there]) await database!.close();
  for (const carrier of carriers) await carrier.close();
  await drop();
});

test("after a reconnection all listeners are notified to poll", async () => {
  const nats = await connect(nameInstallation());
  const heard: unknown[] = [];
  await nats.subscribe("any", (payload) => heard.push(payload));
  await server.kill();
  await expect.poll(() => nats.isConnected).toBe(false);
  // Nothing to send to, and nothing fails.
  await nats.send([{ channel: "any", payload: "lost" }]);
  await server.start();
  await expect.poll(() => heard, { timeout: 20_000 }).toEqual([undefined]);
  expect(nats.isConnected).toBe(true);
  await nats.close();
});

test("a declined offer is delivered again, an accepted one is not", async () => {
  const nats = await connect(nameInstallation());
  const taken: string[] = [];
  const declined: string[] = [];
  const answer = (offers: Offer[]) => {
    for (const offer of offers) {
      const { organizationId } = offer;
      const isFirst = !declined.includes(organizationId);
      (isFirst ? declined : taken).push(organizationId);
      if (isFirst) offer.decline();
      else offer.accept();
    }
  };
  const lines = [
    nats.offers.open("portal", () => answer(lines[0]!.take())),
    nats.offers.open("portal", () => answer(lines[1]!.take())),
  ];
  await nats.offers.add("portal", ["a", "b", "c"]);
  await expect.poll(() => taken.sort(), { timeout: 20_000 }).toEqual(["a", "b", "c"]);
  expect(declined.sort()).toEqual(["a", "b", "c"]);
  await nats.close();
});

test("at most two offers of an organization wait at a place, and offers of other places are not delivered", async () => {
  const nats = await connect(nameInstallation());
  for (let times = 0; times < 10; times += 1) await nats.offers.add("portal", ["busy"]);
  await nats.offers.add("portal", ["quiet"]);
  await nats.offers.add("elsewhere", ["far"]);
  const taken: string[] = [];
  const line = nats.offers.open("portal", () => {
    for (const offer of line.take()) {
      offer.accept();
      taken.push(offer.organizationId);
    }
  });
  await expect.poll(() => taken).toEqual(["busy", "busy", "quiet"]);
  // Accepted: there is room for more.
  await nats.offers.add("portal", ["busy"]);
  await expect.poll(() => taken).toEqual(["busy", "busy", "quiet", "busy"]);
  await nats.close();
});

test("an address has servers and either user and password or a token", () => {
  expect(readNatsUrl("nats://ana:p%40ss@one:4222, nats://two:4222")).toEqual({
    ...{ servers: ["one:4222", "two:4222"], user: "ana", pass: "p@ss" },
  });
  expect(readNatsUrl("tls://a-token@one")).toEqual({ servers: ["one"], token: "a-token", tls: {} });
});
