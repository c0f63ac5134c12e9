import { afterAll, beforeAll, expect, test } from "vitest";
import type { AuditTables } from "../../kit/audit/audit-table.ts";
import { requireValue } from "../../kit/client/client.ts";
import type { Database } from "../../kit/database/database.ts";
import { createMailbox } from "../../kit/mail/mailbox.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { collectEmails } from "../../kit/testing/emails.ts";
import { createVault } from "../../kit/vault/vault.ts";
import { schemaName } from "../store/tables.ts";
import { createPortalWorld, type PortalWorld } from "../testing/world.ts";

const body = { address: "ada@example.com" };
let database: Database;
const worlds: PortalWorld[] = [];
beforeAll(async () => {
  database = await testEngines()[0].open();
});
afterAll(async () => {
  for (const world of worlds) await world.stop();
  await database.close();
});

async function open(options: Parameters<typeof createPortalWorld>[1] = {}) {
  const world = await createPortalWorld(database, { work: false, ...options });
  worlds.push(world);
  return world;
}

test("a test email is sent at once, and the mail server's reply is returned", async () => {
  const emails = collectEmails();
  const mailServer = { address: "mail.example.com:587", sender: "portal@example.com" };
  const world = await open({ delivery: emails, mailServer });
  expect(requireValue(await world.operator.getMail(), "mail")).toEqual({
    ...{ way: "server", server: "mail.example.com:587", sender: "portal@example.com" },
  });
  const sent = requireValue(await world.operator.sendTestLetter({ body }), "letter");
  expect([sent, emails.emails.map(({ to }) => to.address)]).toEqual([
    { isTaken: true, words: null },
    ["ada@example.com"],
  ]);
  emails.deliver = () => Promise.reject(new Error("535 Authentication failed"));
  expect(requireValue(await world.operator.sendTestLetter({ body }), "letter")).toEqual({
    ...{ isTaken: false, words: "535 Authentication failed" },
  });
  const db = database.inSchema<AuditTables>(schemaName);
  const records = await db.selectFrom("audit_records").where("resource_kind", "=", "test-letter").selectAll().execute();
  expect(records.map(({ after }) => after)).toEqual([
    { address: "ada@example.com", isTaken: true },
    { address: "ada@example.com", isTaken: false },
  ]);
});

test("the response says when mail stays here or can't be sent", async () => {
  const none = await open({ delivery: undefined });
  expect(await none.operator.getMail()).toMatchObject({ value: { way: "none", server: null } });
  expect(await none.operator.sendTestLetter({ body })).toMatchObject({ status: 503 });
  const mailbox = await createMailbox(database, createVault("a key for tests"), none.clock);
  const stored = await open({ delivery: mailbox, mailbox });
  expect(await stored.operator.getMail()).toMatchObject({ value: { way: "mailbox", server: null } });
  expect(await stored.operator.sendTestLetter({ body })).toMatchObject({ value: { isTaken: true } });
});

test("only an operator can read the status of mail and queues or send a test email", async () => {
  const world = await open();
  const member = world.member({ scopes: ["users:manage", "billing:manage"] });
  const refused = await Promise.all([member.getMail(), member.sendTestLetter({ body }), member.listWaitingWork()]);
  expect(refused.map(({ status }) => status)).toEqual([403, 403, 403]);
});

test("undelivered emails wait, and the status says since when", async () => {
  const world = await open();
  const listed = async () => requireValue(await world.operator.listWaitingWork(), "work").items;
  const mail = async () => (await listed()).find(({ name }) => name === "portal-service-letters");
  expect(await mail()).toEqual({ name: "portal-service-letters", waiting: 0, running: 0, oldestAt: null });
  const portal = await world.serviceFor();
  const sent = await portal.sendContactMessage({
    headers: { "x-client-address": "192.0.2.1" },
    body: { name: "Ada", email: "ada@example.com", subject: "Prices", message: "How much?" },
  });
  expect(sent.status).toBe(202);
  expect(await mail()).toMatchObject({ waiting: 1, running: 0, oldestAt: expect.stringMatching(/^\d{4}-/) });
});
