import pino from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { requireValue } from "../../kit/client/client.ts";
import type { Database } from "../../kit/database/database.ts";
import { createMail, type Mail } from "../../kit/mail/mail.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { collectEmails } from "../../kit/testing/emails.ts";
import { createVault } from "../../kit/vault/vault.ts";
import { createFindTexts } from "../domain-proof/dns-texts.ts";
import { createLookForProof } from "../domain-proof/look-for-proof.ts";
import { addMember } from "../testing/members.ts";
import { startNameServer } from "../testing/name-server.ts";
import { createSurroundings, testPortalOrigin } from "../testing/surroundings.ts";
import { createSecurityWorld, type SecurityWorld } from "../testing/world.ts";
import { checkAgain, domainCheckQueue, sendDueChecks } from "./domain-checks.ts";

const day = 24 * 60 * 60 * 1_000;

for (const engine of testEngines()) {
  let database: Database;
  let world: SecurityWorld;
  let nameServer: Awaited<ReturnType<typeof startNameServer>>;
  let parts: Parameters<typeof checkAgain>[0];
  let mail: Mail;
  const delivery = collectEmails();
  let sent: object[] = [];

  beforeAll(async () => {
    [database, nameServer] = await Promise.all([engine.open(), startNameServer()]);
    const findTexts = createFindTexts([nameServer.address]);
    world = await createSecurityWorld(database, { findTexts, work: false });
    const log = pino({ level: "silent" });
    const { egress } = await createSurroundings(database, log, world.queue);
    const vault = createVault("a key for tests");
    mail = await createMail({
      service: "security-service",
      database,
      schema: "security_service",
      queue: world.queue,
      vault,
      log,
      delivery,
      work: true,
    });
    const lookForProof = createLookForProof({ egress, findTexts });
    parts = { db: world.db, clock: world.clock, log, lookForProof, mail, portalOrigin: () => testPortalOrigin };
  });
  afterAll(async () => {
    await mail.stop();
    await world.stop();
    await Promise.all([database.close(), nameServer.close()]);
  });

  /** Does the work of a worker: dispatches due checks and runs them. */
  async function passDay(): Promise<object[]> {
    world.clock.advance(day);
    sent = [];
    const queue = {
      ...world.queue,
      send: async (_: unknown, name: string, jobs: { payload: unknown }[]) => {
        expect(name).toBe(domainCheckQueue);
        sent.push(...jobs.map(({ payload }) => payload as object));
      },
    };
    await sendDueChecks({ ...parts, queue });
    for (const payload of sent) await checkAgain(parts, payload);
    return sent;
  }

  async function verify(name: string) {
    const client = world.connect({ token: (await world.requireLogin()).accessToken });
    const domain = requireValue(await client.createDomain({ body: { name } }), "creating");
    const { record } = domain.verification;
    nameServer.texts.set(record!.name, [record!.value]);
    requireValue(await client.checkDomain({ params: { domain: domain.id } }), "checking");
    return { id: domain.id, record: record! };
  }
  const find = (id: string) =>
    world.db.selectFrom("domains").selectAll().where("id", "=", id).executeTakeFirstOrThrow();

  test(`${engine.name}: a verified domain is checked once a day, an unverified one is not`, async () => {
    const { id } = await verify("daily.test");
    expect(await passDay()).toHaveLength(1);
    expect(await find(id)).toMatchObject({ state: "verified", missed_checks: 0, failure: null });
    await world.db
      .updateTable("domains")
      .set({ state: "unverified", next_check_at: null })
      .where("id", "=", id)
      .execute();
    expect(await passDay()).toEqual([]);
  });

  test(`${engine.name}: a missing proof unverifies a domain at the third daily check, and that is recorded`, async () => {
    const { id, record } = await verify("moved.test");
    nameServer.texts.delete(record.name);
    await passDay();
    // The same job again, as after a crashed worker: it counts once.
    for (const payload of sent) await checkAgain(parts, payload);
    expect(await find(id)).toMatchObject({
      state: "verified",
      missed_checks: 1,
      failure: expect.stringContaining("TXT"),
    });
    await passDay();
    expect(await find(id)).toMatchObject({ state: "verified", missed_checks: 2 });
    await passDay();
    expect(await find(id)).toMatchObject({ state: "unverified", next_check_at: null });
    const audited = await database.kysely
      .selectFrom("security_service.audit_records")
      .selectAll()
      .where("resource_id", "=", id)
      .orderBy("id", "desc")
      .executeTakeFirstOrThrow();
    expect(audited).toMatchObject({
      actor_kind: "service",
      before: { state: "verified" },
      after: { state: "unverified" },
    });
    expect(await passDay()).toEqual([]);
  });

  test(`${engine.name}: only administrators who may sign in are notified by email, once`, async () => {
    const { id, record } = await verify("lost.test");
    const { organizationId } = (await world.requireLogin()).caller;
    const people = { ada: ["ADMIN"], ben: ["EDITOR"], cleo: ["ADMIN"], zoe: ["ADMIN", "VIEWER"] };
    for (const [username, roles] of Object.entries(people)) {
      await addMember(world, organizationId, { username, roles });
    }
    await world.db.updateTable("users").set({ disabled_at: new Date() }).where("username", "=", "cleo").execute();
    nameServer.texts.delete(record.name);
    await passDay();
    await passDay();
    expect(delivery.emails.filter(({ text }) => text.includes("lost.test"))).toEqual([]);
    await passDay();
    for (const payload of sent) await checkAgain(parts, payload);
    const subject = /^A domain is no longer verified$/;
    const email = await delivery.newest("ada@example.com", subject);
    await delivery.newest("zoe@example.com", subject);
    expect(email.text).toContain("_api-assurance.lost.test has no TXT record.");
    expect(email.text).toContain(`${testPortalOrigin}/administration/domain/lost.test/edit`);
    expect(await find(id)).toMatchObject({ state: "unverified" });
    const recipients = delivery.emails.filter(({ text }) => text.includes("lost.test")).map(({ to }) => to.address);
    expect(recipients.sort()).toEqual(["ada@example.com", "zoe@example.com"]);
  });

  test(`${engine.name}: a restored proof resets the missed checks`, async () => {
    const { id, record } = await verify("back.test");
    nameServer.texts.delete(record.name);
    await passDay();
    nameServer.texts.set(record.name, [record.value]);
    await passDay();
    expect(await find(id)).toMatchObject({ state: "verified", missed_checks: 0, failure: null });
  });
}
