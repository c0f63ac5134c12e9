import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, expect, test } from "vitest";
import { requireValue } from "../../kit/client/client.ts";
import { systemClock } from "../../kit/clock/clock.ts";
import type { Database } from "../../kit/database/database.ts";
import { renderEmail } from "../../kit/mail/email.ts";
import { createMailbox, type Mailbox } from "../../kit/mail/mailbox.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { createVault } from "../../kit/vault/vault.ts";
import { createPortalWorld, type PortalWorld } from "../testing/world.ts";

for (const engine of testEngines()) {
  let database: Database;
  let mailbox: Mailbox;
  let world: PortalWorld;

  beforeAll(async () => {
    database = await engine.open();
    mailbox = await createMailbox(database, createVault("a key for tests"), systemClock);
    world = await createPortalWorld(database, { mailbox });
    for (const number of [1, 2, 3]) {
      const email = renderEmail({
        to: { address: `reader${number}@example.com` },
        subject: `Letter ${number}`,
        blocks: [{ kind: "paragraph", text: `Words of letter ${number}` }],
      });
      await mailbox.deliver(uuidv7(), email);
    }
  });
  afterAll(async () => {
    await world.stop();
    await database.close();
  });

  test(`${engine.name}: emails are listed page by page, newest first`, async () => {
    const portal = await world.serviceFor();
    const first = requireValue(await portal.listSandboxMail({ query: { limit: 2 } }), "listSandboxMail");
    expect(first.items.map(({ subject, to }) => [subject, to])).toEqual([
      ["Letter 3", "reader3@example.com"],
      ["Letter 2", "reader2@example.com"],
    ]);
    const query = { limit: 2, cursor: first.nextCursor ?? "" };
    const rest = requireValue(await portal.listSandboxMail({ query }), "listSandboxMail");
    expect(rest.items.map(({ subject }) => subject)).toEqual(["Letter 1"]);
    expect(rest.nextCursor).toBeNull();
  });

  test(`${engine.name}: an email shows both of its parts`, async () => {
    const portal = await world.serviceFor();
    const { items } = requireValue(await portal.listSandboxMail({ query: { limit: 1 } }), "listSandboxMail");
    const email = await portal.getSandboxLetter({ params: { letterId: items[0]!.id } });
    expect(email).toMatchObject({
      value: {
        text: expect.stringContaining("Words of letter 3"),
        html: expect.stringContaining("<p>Words of letter 3"),
        replyTo: null,
      },
    });
  });

  test(`${engine.name}: a missing email is not found, and an invalid cursor is refused`, async () => {
    const portal = await world.serviceFor();
    expect(await portal.getSandboxLetter({ params: { letterId: uuidv7() } })).toMatchObject({ status: 404 });
    const cursor = Buffer.from(JSON.stringify(["no id"])).toString("base64url");
    expect(await portal.listSandboxMail({ query: { cursor } })).toMatchObject({ status: 400 });
  });

  test(`${engine.name}: no user's token opens the mailbox`, async () => {
    expect(await world.operator.listSandboxMail()).toMatchObject({ status: 404 });
    expect(await world.connect().listSandboxMail()).toMatchObject({ status: 401 });
  });

  test(`${engine.name}: an installation that sends mail has no mailbox`, async () => {
    const other = await createPortalWorld(database);
    try {
      const portal = await other.serviceFor();
      expect(await portal.listSandboxMail()).toMatchObject({ status: 404 });
      expect(await portal.getSandboxLetter({ params: { letterId: uuidv7() } })).toMatchObject({ status: 404 });
    } finally {
      await other.stop();
    }
  });
}
