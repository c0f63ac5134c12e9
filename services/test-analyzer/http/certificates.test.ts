import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ReceivedEvent } from "#contracts/test-analyzer/received-events.ts";
import { type Authority, createAuthority } from "#libraries/egress/testing/certificates.ts";
import { requireValue } from "../../kit/client/client.ts";
import type { Consumer } from "../../kit/events/consumer.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { toTheEnd } from "../../test-executioner/testing/to-the-end.ts";
import { createExecutionWorld, type ExecutionWorld } from "../../test-executioner/testing/world.ts";
import { retainCertificates } from "../jobs/certificate-watch.ts";
import { type AnalyzerTables, schemaName } from "../store/tables.ts";
import { createIncidentWorld, type IncidentTenant, type IncidentWorld } from "../testing/incident-world.ts";

const day = 24 * 60 * 60 * 1_000;

/** An HTTPS server whose certificate is renewed while it runs. */
async function startSecureTarget(authority: Authority, days: number) {
  const issue = (days: number) => authority.issue("target", "IP:127.0.0.1", days);
  const server = createServer(await issue(days), (_, response) => void response.end("{}"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    host,
    baseUrl: `https://${host}`,
    async renew(days: number) {
      server.setSecureContext(await issue(days));
      server.closeAllConnections();
    },
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

for (const engine of testEngines()) {
  let authority: Authority;
  let alerts: IncidentWorld;
  let executions: ExecutionWorld;
  const seen: ReceivedEvent[] = [];
  /** Organization of the execution events. */
  let tenant: IncidentTenant;
  beforeAll(async () => {
    authority = await createAuthority();
    alerts = await createIncidentWorld(engine);
    const consumer: Consumer = {
      name: "alerts",
      types: ["certificate.seen"],
      deadlineMilliseconds: 10_000,
      async receive(event) {
        const own = { ...event, organizationId: tenant.organizationId } as ReceivedEvent;
        seen.push(own);
        return await tenant.internal.receiveEvent({ body: own });
      },
    };
    const options = { consumers: [consumer], trustedAuthority: authority.ca };
    executions = await createExecutionWorld(await engine.open(), options);
  });
  afterAll(async () => {
    await executions.stop();
    await executions.database.close();
    await alerts.close();
    await authority.remove();
  });

  async function listed(query: object = {}) {
    return requireValue(await tenant.client.listCertificates({ query }), "certificates").items;
  }
  /** A test meets the host's certificate, as reported each day. */
  const meet = (host: string, validTo: Date) =>
    tenant.receive({
      ...{ id: uuidv7(), type: "certificate.seen", organizationId: tenant.organizationId },
      occurredAt: alerts.clock.now().toISOString(),
      payload: {
        ...{ host, apiId: tenant.apiId, subject: `CN=${host}`, issuer: "CN=Test Authority" },
        validTo: validTo.toISOString(),
      },
    });
  const inDays = (days: number) => new Date(alerts.clock.now().getTime() + days * day);

  test(`${engine.name}: a tested host's certificate gets each warning once, and its renewal none`, async () => {
    // An hour of margin, so that the seconds spent issuing a certificate do not change the days left.
    alerts.clock.moveTo(new Date(Date.now() + day / 24));
    tenant = await alerts.createTenant();
    const { id } = await tenant.createHook();
    await tenant.createRule({ channelIds: [id] });
    const target = await startSecureTarget(authority, 20);
    const tested = await executions.createTenant(target.baseUrl);
    const { id: testId } = await tested.createTest({ data: Array.from({ length: 40 }, (_, n) => ({ n: `${n}` })) });
    async function runAll() {
      const body = { source: { tests: [testId] } };
      const run = requireValue(await toTheEnd(tested.client).startRun({ body }), "run");
      expect(run.verdict).toBe("passed");
    }

    await runAll();
    await runAll();
    const expected = ["certificate.expiring: The certificate of HOST expires in 19 days".replace("HOST", target.host)];
    expect(await tenant.waitForAlerts(1)).toEqual(expected);
    expect(seen).toHaveLength(1);
    expect(await listed()).toMatchObject([
      {
        ...{ host: target.host, apiId: tested.apiId, daysLeft: 19, warnedDays: 30 },
        ...{ subject: "O=Example, CN=target", issuer: "O=Test, CN=Test Authority" },
      },
    ]);
    alerts.clock.advance(7 * day);
    expected.push(expected[0]!.replace(" 19 ", " 12 "));
    expect(await tenant.waitForAlerts(2)).toEqual(expected);

    await target.renew(80);
    await runAll();
    await expect.poll(async () => (await listed())[0]).toMatchObject({ warnedDays: null, daysLeft: 72 });
    const renewed = new Date((await listed())[0]!.validTo);
    // The old one would have expired by now.
    alerts.clock.advance(30 * day);
    await meet(target.host, renewed);
    alerts.clock.advance(20 * day);
    expected.push(expected[0]!.replace(" 19 ", " 22 "));
    expect(await tenant.waitForAlerts(3)).toEqual(expected);
    await target.close();
  });

  test(`${engine.name}: servers of one name that alternate between two certificates get one warning for each`, async () => {
    tenant = await alerts.createTenant();
    const { id } = await tenant.createHook();
    await tenant.createRule({ channelIds: [id] });
    const [old, renewed] = [inDays(10.5), inDays(60.5)];
    await meet("api.example.com", old);
    await tenant.waitForAlerts(1);
    for (let turn = 0; turn < 3; turn += 1) {
      alerts.clock.advance(1_000);
      await meet("api.example.com", renewed);
      alerts.clock.advance(1_000);
      await meet("api.example.com", old);
      expect((await listed())[0]).toMatchObject({ warnedDays: 14, daysLeft: 10 });
    }
    alerts.clock.advance(8 * day);
    expect(await tenant.waitForAlerts(2)).toEqual([
      "certificate.expiring: The certificate of api.example.com expires in 10 days",
      "certificate.expiring: The certificate of api.example.com expires in 2 days",
    ]);
  });

  test(`${engine.name}: the API's rule applies, quiet hours defer warnings that are not urgent, and an untested host gets no warning and is deleted`, async () => {
    tenant = await alerts.createTenant();
    const apiId = await tenant.registerApi('{"openapi":"3.1.0","info":{"title":"x","version":"1"},"paths":{}}');
    tenant = { ...tenant, apiId };
    const [everyone, team] = [await tenant.createHook("Everyone"), await tenant.createHook("Team")];
    await tenant.createRule({ channelIds: [everyone.id] });
    const quietHours = { from: "00:00", to: "00:00", timeZone: "UTC" };
    await tenant.createRule({ scope: { kind: "api", apiId }, channelIds: [team.id], quietHours });
    await meet("left.example.com", inDays(62.5));
    await meet("calm.example.com", inDays(20.5));
    await meet("urgent.example.com", inDays(2.5));
    expect(await tenant.waitForAlerts(1, "Team")).toEqual([
      "certificate.expiring: The certificate of urgent.example.com expires in 2 days",
    ]);
    const deliveries = async (channelId: string) =>
      requireValue(await tenant.client.listDeliveries({ params: { channelId }, query: {} }), "deliveries").items;
    await expect
      .poll(async () => (await deliveries(team.id)).map(({ state }) => state).sort())
      .toEqual(["delivered", "held"]);
    expect(await deliveries(everyone.id)).toEqual([]);
    expect((await listed({ apiId, limit: 2 })).map(({ host }) => host)).toEqual([
      "urgent.example.com",
      "calm.example.com",
    ]);
    expect((await listed({ host: "CALM.example.com" })).map(({ host }) => host)).toEqual(["calm.example.com"]);

    alerts.clock.advance(32.1 * day);
    await meet("known.example.com", inDays(2.5));
    expect(await tenant.waitForAlerts(3, "Team")).toHaveLength(3);
    expect((await listed()).map(({ host }) => host)).toEqual(["known.example.com"]);
    expect((await deliveries(team.id)).map(({ title }) => title).join()).not.toContain("left.example.com");

    const db = alerts.database.inSchema<AnalyzerTables>(schemaName);
    await retainCertificates({ db, clock: alerts.clock }, new AbortController().signal);
    const own = db.selectFrom("certificates").where("organization_id", "=", tenant.organizationId);
    expect(await own.select("host").execute()).toEqual([{ host: "known.example.com" }]);
  });

  test(`${engine.name}: a certificate without a recipient is reported once a rule exists`, async () => {
    tenant = await alerts.createTenant();
    const testCircleId = uuidv7();
    alerts.circles.add(testCircleId);
    const [nightly, team] = [await tenant.createHook("Nightly"), await tenant.createHook("Team")];
    await tenant.createRule({ scope: { kind: "circle", testCircleId }, channelIds: [nightly.id] });
    await meet("api.example.com", inDays(20.5));
    const db = alerts.database.inSchema<AnalyzerTables>(schemaName);
    const isDue = async () => {
      const own = db.selectFrom("certificates").where("organization_id", "=", tenant.organizationId);
      return (await own.select("warn_at").executeTakeFirstOrThrow()).warn_at! <= alerts.clock.now();
    };
    await expect.poll(isDue).toBe(false);
    expect((await listed())[0]).toMatchObject({ warnedDays: null });
    await tenant.createRule({ channelIds: [team.id] });
    alerts.clock.advance(day / 24);
    expect(await tenant.waitForAlerts(1, "Team")).toEqual([
      "certificate.expiring: The certificate of api.example.com expires in 20 days",
    ]);
    expect((await listed())[0]).toMatchObject({ warnedDays: 30 });
  });

  test(`${engine.name}: T01: another organization's certificates are not found, and pages are consecutive`, async () => {
    tenant = await alerts.createTenant();
    for (const [host, days] of [
      ["c", 90],
      ["a", 40],
      ["b", 40],
    ] as const) {
      await meet(host, inDays(days));
    }
    const first = requireValue(await tenant.client.listCertificates({ query: { limit: 2 } }), "certificates");
    expect(first.items.map(({ host }) => host)).toEqual(["a", "b"]);
    expect((await listed({ limit: 2, cursor: first.nextCursor })).map(({ host }) => host)).toEqual(["c"]);
    const stranger = await alerts.createTenant();
    expect(requireValue(await stranger.client.listCertificates({ query: {} }), "certificates").items).toEqual([]);
    await tenant.receiveDeleted("api.deleted", { apiId: tenant.apiId });
    expect(await listed()).toEqual([]);
  });
}
