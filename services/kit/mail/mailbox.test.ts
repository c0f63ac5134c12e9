import { sql } from "kysely";
import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { movableClock } from "../clock/clock.ts";
import type { Database } from "../database/database.ts";
import { bothEngines } from "../testing/databases.ts";
import { createVault } from "../vault/vault.ts";
import { renderEmail } from "./email.ts";
import { createMailbox, type Mailbox } from "./mailbox.ts";

const vault = createVault("a key for tests");
const written = (subject: string) =>
  renderEmail({
    to: { address: "canary@example.org" },
    subject,
    blocks: [{ kind: "paragraph", text: "canary text" }],
  });

for (const engine of bothEngines()) {
  let database: Database;
  let mailbox: Mailbox;
  const clock = movableClock("2026-03-01T12:00:00.000Z");

  beforeAll(async () => {
    database = await engine.open();
    mailbox = await createMailbox(database, vault, clock);
  });
  afterAll(() => database.close());
  beforeEach(async () => {
    await sql`delete from mailbox.letters`.execute(database.kysely);
  });

  async function deliver(count: number): Promise<string[]> {
    const ids = Array.from({ length: count }, () => uuidv7());
    for (const [number, id] of ids.entries()) await mailbox.deliver(id, written(`Letter ${number}`));
    return ids;
  }

  test(`${engine.name}: the local mailbox is listed page by page, newest first, and each email can be read`, async () => {
    const ids = await deliver(5);
    const first = await mailbox.list({ limit: 2 });
    // One more than requested indicates that there are more.
    expect(first.map((email) => email.subject)).toEqual(["Letter 4", "Letter 3", "Letter 2"]);
    const rest = await mailbox.list({ limit: 10, beforeId: ids[3] as string });
    expect(rest.map((email) => email.id)).toEqual([ids[2], ids[1], ids[0]]);
    expect(await mailbox.find(ids[1] as string)).toMatchObject({
      id: ids[1],
      subject: "Letter 1",
      to: { address: "canary@example.org" },
      sentAt: new Date("2026-03-01T12:00:00.000Z"),
    });
    expect(await mailbox.find(uuidv7())).toBeUndefined();
  });

  test(`${engine.name}: an email delivered twice is stored once`, async () => {
    const id = uuidv7();
    await mailbox.deliver(id, written("First"));
    await mailbox.deliver(id, written("Again"));
    expect((await mailbox.list({ limit: 10 })).map((email) => email.subject)).toEqual(["First"]);
  });

  test(`${engine.name}: L01: emails are sealed, and one copied to another row does not open`, async () => {
    const [one, other] = await deliver(2);
    const rows = await sql<{ id: string; sealed: string }>`select id, sealed from mailbox.letters`.execute(
      database.kysely,
    );
    expect(JSON.stringify(rows.rows)).not.toMatch(/canary/);
    await sql`update mailbox.letters set sealed = (select sealed from mailbox.letters where id = ${one}) where id = ${other}`.execute(
      database.kysely,
    );
    await expect(mailbox.find(other as string)).rejects.toThrow();
  });

  test(`${engine.name}: the newest thousand emails remain, the oldest are deleted`, async () => {
    const sealed = "not opened here";
    const ids = Array.from({ length: 1_000 }, () => uuidv7());
    await sql`insert into mailbox.letters (id, sealed, sent_at) select id, ${sealed}, now() from unnest(${ids}::uuid[]) id`.execute(
      database.kysely,
    );
    const [newest] = await deliver(1);
    const remaining = await sql<{ id: string }>`select id from mailbox.letters order by id`.execute(database.kysely);
    expect(remaining.rows).toHaveLength(1_000);
    expect(remaining.rows[0]?.id).toBe(ids[1]);
    expect(remaining.rows.at(-1)?.id).toBe(newest);
  });
}
