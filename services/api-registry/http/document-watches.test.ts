import { afterAll, beforeAll, expect, test } from "vitest";
import type { DocumentWatch, DocumentWatchInput } from "#contracts/api-registry/document-watches.ts";
import { createEgress, type ExplainingEgress } from "#libraries/egress/egress.ts";
import { requireValue } from "../../kit/client/client.ts";
import type { Database } from "../../kit/database/database.ts";
import type { Consumer } from "../../kit/events/consumer.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { startDocumentServer } from "../testing/document-server.ts";
import { smallDocument } from "../testing/fixtures.ts";
import { startRegistry } from "../testing/registry.ts";

const hour = 3_600_000;
const before = smallDocument();
const info = (version: string) => ({ info: { title: "Small", version } });
const getNothing = { get: { responses: { "200": { description: "ok" } } } };
const withMore = smallDocument({
  ...info("2"),
  paths: { ...(before.paths as object), "/new": getNothing },
});
const withoutPet = smallDocument({ ...info("3"), paths: { "/new": getNothing } });

interface WatchedPayload {
  apiId: string;
  changed: { reason: string } | null;
  unavailable: { reason: string } | null;
  ending: string;
}

for (const engine of testEngines()) {
  let database: Database;
  let egress: ExplainingEgress;
  let registry: Awaited<ReturnType<typeof startRegistry>>;
  const events: WatchedPayload[] = [];
  const consumer: Consumer = {
    name: "test-analyzer",
    types: ["document.watched"],
    deadlineMilliseconds: 5_000,
    async receive({ payload }) {
      events.push(payload as WatchedPayload);
      return { ok: true, status: 204, value: undefined } as never;
    },
  };
  const eventsOf = (apiId: string) => events.filter((one) => one.apiId === apiId);

  beforeAll(async () => {
    database = await engine.open();
    egress = createEgress({ policy: { allow: [], allowLoopback: true, ownTargets: [] } });
    registry = await startRegistry(database, { egress, consumers: [consumer], watchEveryMilliseconds: 20 });
  });
  afterAll(async () => {
    await registry.service.stop();
    await egress.close();
    await database.close();
  });

  /** A server with the registered document, watched every hour. */
  async function watch(settings: Partial<DocumentWatchInput> = {}) {
    const server = await startDocumentServer(before);
    const { client } = registry;
    const { id: apiId } = requireValue(await client.registerApi({ body: { source: { url: server.url } } }), "register");
    const params = { apiId };
    const body = { url: server.url, everyMinutes: 60, action: "takeOver", ...settings } as const;
    requireValue(await client.setDocumentWatch({ params, body }), "watch");
    server.statuses.length = 0;
    const read = async () => requireValue(await client.getDocumentWatch({ params }), "watch").watch!;
    async function waitFor(isSo: (watched: DocumentWatch) => boolean): Promise<DocumentWatch> {
      let watched = await read();
      while (!isSo(watched)) {
        await new Promise((resolve) => setTimeout(resolve, 10));
        watched = await read();
      }
      return watched;
    }
    /** Lets the next look become due, and waits for it. */
    async function lookAgain(): Promise<DocumentWatch> {
      const { nextLookAt } = await read();
      registry.clock.advance(Math.max(0, new Date(nextLookAt).getTime() - registry.clock.now().getTime()) + 1);
      return await waitFor((watched) => watched.nextLookAt > nextLookAt);
    }
    const versions = async () =>
      requireValue(await client.listDocuments({ params, query: {} }), "documents").items.map(({ version }) => version);
    await waitFor(({ lookedAt }) => lookedAt !== null);
    return { server, params, apiId, body, read, lookAgain, versions };
  }

  test(`${engine.name}: an unchanged document is asked for by its tag, or by its bytes where there is none`, async () => {
    const { server, apiId, lookAgain, versions } = await watch();
    const first = await lookAgain();
    server.statuses.length = 0;
    const second = await lookAgain();
    expect(server.statuses).toEqual([304]);
    expect(second.unchangedSince).toBe(first.unchangedSince);
    expect(new Date(second.nextLookAt).getTime() - new Date(second.lookedAt!).getTime()).toBeGreaterThanOrEqual(hour);
    server.state.hasTags = false;
    await lookAgain();
    server.statuses.length = 0;
    expect(await lookAgain()).toMatchObject({ failure: null, change: null, unchangedSince: first.unchangedSince });
    expect(server.statuses).toEqual([200]);
    expect(await versions()).toEqual(["1"]);
    expect(eventsOf(apiId)).toEqual([]);
    await server.close();
  });

  test(`${engine.name}: a version that breaks nothing is taken over, and the audit names the watch`, async () => {
    const { server, apiId, lookAgain, versions } = await watch();
    server.serve(withMore);
    expect(await lookAgain()).toMatchObject({ change: null, takenOver: { version: "2" } });
    expect(await versions()).toEqual(["2", "1"]);
    const records = requireValue(
      await registry.client.listAuditRecords({ query: { operation: "importDocument" } }),
      "audit",
    );
    expect(records.items[0]).toMatchObject({
      resource: { id: apiId },
      actor: { kind: "service", name: "the watch of the document" },
      operation: "importDocument",
    });
    expect(eventsOf(apiId)).toEqual([]);
    await server.close();
  });

  test(`${engine.name}: where only reports are wanted, a harmless version waits until it is taken over by a person`, async () => {
    const { server, apiId, params, lookAgain, versions } = await watch({ action: "report" });
    server.serve(withMore);
    const { change } = await lookAgain();
    expect(change).toMatchObject({ version: "2", breakingCount: 0 });
    expect(await versions()).toEqual(["1"]);
    const { digest } = change!;
    expect((await registry.reader.takeOverDocument({ params, body: { digest } })).status).toBe(403);
    expect((await registry.stranger.takeOverDocument({ params, body: { digest } })).status).toBe(404);
    const taken = await registry.client.takeOverDocument({ params, body: { digest } });
    expect(taken).toMatchObject({ status: 201, value: { version: "2", current: true } });
    expect((await registry.client.takeOverDocument({ params, body: { digest } })).status).toBe(409);
    await expect.poll(() => eventsOf(apiId).map(({ changed }) => changed !== null)).toEqual([true, false]);
    await server.close();
  });

  test(`${engine.name}: a breaking version waits with its reasons, until the address serves the registered one again`, async () => {
    const { server, apiId, params, lookAgain, versions } = await watch();
    server.serve(withoutPet);
    const { change } = await lookAgain();
    expect(change).toMatchObject({ version: "3", breakingCount: 1 });
    expect(change!.reason).toContain("GET /pets/{petId}:");
    await lookAgain();
    await expect.poll(() => eventsOf(apiId).length).toBe(1);
    server.serve(withMore);
    const { digest } = change!;
    const late = await registry.client.takeOverDocument({ params, body: { digest } });
    expect(late).toMatchObject({ status: 409 });
    server.serve(before);
    expect((await lookAgain()).change).toBeNull();
    await expect.poll(() => eventsOf(apiId).at(-1)).toMatchObject({ changed: null, unavailable: null });
    expect(await versions()).toEqual(["1"]);
    await server.close();
  });

  test(`${engine.name}: a dismissed version is not reported again, another one is`, async () => {
    const { server, apiId, params, lookAgain } = await watch();
    server.serve(withoutPet);
    const { digest } = (await lookAgain()).change!;
    requireValue(await registry.client.dismissDocument({ params, body: { digest } }), "dismiss");
    expect((await lookAgain()).change).toBeNull();
    server.serve({ ...withoutPet, ...info("4") });
    expect((await lookAgain()).change).toMatchObject({ version: "4" });
    await expect.poll(() => eventsOf(apiId).map(({ changed }) => changed !== null)).toEqual([true, false, true]);
    await server.close();
  });

  test(`${engine.name}: three failed looks in a row are a problem, sooner than usual, and one that succeeds ends it`, async () => {
    const { server, apiId, lookAgain, read } = await watch();
    server.state.status = 503;
    await lookAgain();
    const { failure, nextLookAt, lookedAt } = await read();
    expect(failure).toMatchObject({ looks: 1, reason: expect.stringContaining("503") });
    expect(new Date(nextLookAt).getTime() - new Date(lookedAt!).getTime()).toBeLessThan(hour / 2);
    await lookAgain();
    expect(eventsOf(apiId)).toEqual([]);
    server.state.status = undefined;
    server.state.text = '{"openapi": "3.1.0"';
    expect((await lookAgain()).failure).toMatchObject({ looks: 3, reason: expect.stringContaining("not valid") });
    await expect.poll(() => eventsOf(apiId).length).toBe(1);
    expect(eventsOf(apiId)[0]).toMatchObject({ changed: null, unavailable: expect.anything() });
    server.serve(before);
    expect((await lookAgain()).failure).toBeNull();
    await expect.poll(() => eventsOf(apiId).at(-1)).toMatchObject({ unavailable: null });
    await server.close();
  });

  test(`${engine.name}: a redirect to a private address is refused, and the reason is displayed`, async () => {
    const { server, lookAgain } = await watch();
    server.state.location = "http://169.254.169.254/latest/meta-data";
    const { failure } = await lookAgain();
    expect(failure!.reason).not.toBe("");
    expect(server.statuses.at(-1)).toBe(302);
    await server.close();
  });

  test(`${engine.name}: of two processes one looks, and after a restart looks continue`, async () => {
    const { server, read, params, body } = await watch();
    const second = await startRegistry(database, { egress, other: registry, watchEveryMilliseconds: 20 });
    server.statuses.length = 0;
    for (let look = 1; look <= 5; look += 1) {
      const { nextLookAt } = await read();
      registry.clock.advance(new Date(nextLookAt).getTime() - registry.clock.now().getTime() + 1);
      await expect.poll(async () => (await read()).nextLookAt > nextLookAt).toBe(true);
    }
    await second.service.stop();
    expect(server.statuses.length).toBe(5);
    const third = await startRegistry(database, { egress, other: registry, watchEveryMilliseconds: 20 });
    await third.service.stop();
    requireValue(await registry.client.endDocumentWatch({ params }), "end");
    expect(requireValue(await registry.client.getDocumentWatch({ params }), "watch").watch).toBeNull();
    const wrong = await registry.client.setDocumentWatch({ params, body: { ...body, everyMinutes: 5 as never } });
    expect(wrong).toMatchObject({ status: 422 });
    await server.close();
  });
}
