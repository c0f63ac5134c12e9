import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { pino } from "pino";
import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { systemClock } from "../../services/kit/clock/clock.ts";
import { openPostgresDatabase } from "../../services/kit/database/database.ts";
import { migrateSchema } from "../../services/kit/database/migrate.ts";
import { emailSealingContext } from "../../services/kit/mail/email-table.ts";
import { createMailbox } from "../../services/kit/mail/mailbox.ts";
import { getPreviousQueueName } from "../../services/kit/mail/previous-emails.ts";
import { createQueue } from "../../services/kit/queue/queue.ts";
import { createTestDatabase, type TestDatabase } from "../../services/kit/testing/databases.ts";
import { createVault } from "../../services/kit/vault/vault.ts";
import { migrations as portalMigrations } from "../../services/portal-service/store/migrations.ts";
import { migrations as securityMigrations } from "../../services/security-service/store/migrations.ts";
import { migrations as analyzerMigrations } from "../../services/test-analyzer/store/migrations.ts";
import { migrations as executionerMigrations } from "../../services/test-executioner/store/migrations.ts";
import { migrations as registryMigrations } from "../../services/test-registry/store/migrations.ts";

const rowCount = 10_000;
const oldKey = "the key before, of more than 32 characters";
const newKey = "the key after it, of more than 32 characters";
const organizationId = uuidv7();
const before = createVault(oldKey);
const after = createVault(newKey);
const getPlace = (id: string) => ({ organizationId, record: `credentials/${id}` });

/** Every sealed column, so that a removed one fails. */
const schemas = [
  ["security_service", securityMigrations],
  ["portal_service", portalMigrations],
  ["test_registry", registryMigrations],
  ["test_executioner", executionerMigrations],
  ["test_analyzer", analyzerMigrations],
] as const;

let database: TestDatabase;
let client: pg.Client;
/** In the order of processing. */
const ids = Array.from({ length: rowCount }, () => uuidv7()).sort();

beforeAll(async () => {
  database = await createTestDatabase();
  const opened = await openPostgresDatabase(database.url);
  const log = pino({ level: "silent" });
  for (const [schema, migrations] of schemas) await migrateSchema(opened, schema, migrations, log);
  await createMailbox(opened, before, systemClock);
  await (await createQueue({ database: opened, log })).stop();
  await opened.close();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query(
    "insert into security_service.organizations (id, kind, name, created_at) values ($1, 'organization', 'Many', now())",
    [organizationId],
  );
  await client.query(
    `insert into security_service.credentials
       (id, organization_id, name, domain, type, settings, sealed_secret, created_at, updated_at)
     select id, $1, id::text, 'api.test', 'bearer', '{}', sealed, now(), now()
     from unnest($2::uuid[], $3::text[]) as given (id, sealed)`,
    [organizationId, ids, ids.map((id) => before.seal(`secret of ${id}`, getPlace(id)))],
  );
});
afterAll(async () => {
  await client?.end();
  await database?.drop();
});

function startRotation() {
  const program = spawn("node", ["build/process/rotate-secrets.js"], {
    env: {
      ...process.env,
      DATABASE_URL: database.url,
      SECRETS_KEY: newKey,
      SECRETS_KEY_PREVIOUS: oldKey,
      LOG_LEVEL: "warn",
    },
  });
  let said = "";
  for (const stream of [program.stdout, program.stderr]) {
    stream.on("data", (text: Buffer) => {
      said += text.toString();
    });
  }
  const ended = once(program, "exit").then(([code]) => code as number | null);
  return { program, ended, said: () => said };
}

async function listSealed() {
  const { rows } = await client.query<{ id: string; sealed_secret: string }>(
    "select id, sealed_secret from security_service.credentials order by id",
  );
  return rows;
}

const countRenewed = async () => (await listSealed()).filter((row) => after.isCurrent(row.sealed_secret)).length;

test("L01: 10,000 secrets are sealed with a new key, and a command killed half-way is resumed where it was", async () => {
  // A locked row stops the command there, with the batches before it written.
  const holder = new pg.Client({ connectionString: database.url });
  onTestFinished(() => holder.end());
  await holder.connect();
  await holder.query("begin");
  await holder.query("select 1 from security_service.credentials where id = $1 for update", [ids[5_250]]);
  const first = startRotation();
  while ((await countRenewed()) < 5_000) {
    expect(first.program.exitCode, first.said()).toBeNull();
    await pause(50);
  }
  first.program.kill("SIGKILL");
  await first.ended;
  await holder.query("rollback");
  expect(await countRenewed()).toBe(5_000);

  const second = startRotation();
  expect(await second.ended, second.said()).toBe(0);
  expect(second.said()).toContain("security_service.credentials.sealed_secret: 5000 sealed again");
  expect(second.said()).toContain("SECRETS_KEY_PREVIOUS is no longer needed.");
  const rows = await listSealed();
  expect(rows.map(({ id }) => id)).toEqual(ids);
  for (const { id, sealed_secret } of rows) expect(after.open(sealed_secret, getPlace(id))).toBe(`secret of ${id}`);
});

test("L01: queued emails are sealed with a new key, and those in jobs of the previous version keep the old one needed", async () => {
  const [ours, visitors] = [
    { id: uuidv7(), organization_id: organizationId },
    { id: uuidv7(), organization_id: null },
  ];
  for (const email of [ours, visitors]) {
    await client.query(
      "insert into security_service.letters (id, organization_id, sealed, is_for_nobody) values ($1, $2, $3, false)",
      [email.id, email.organization_id, before.seal("a letter", emailSealingContext(email))],
    );
  }
  const opened = await openPostgresDatabase(database.url);
  const queue = await createQueue({ database: opened, log: pino({ level: "silent" }) });
  onTestFinished(async () => {
    await queue.stop();
    await opened.close();
  });
  const earlier = getPreviousQueueName("test-analyzer");
  await queue.declare(earlier);
  await opened.kysely
    .transaction()
    .execute((transaction) => queue.send(transaction, earlier, [{ id: uuidv7(), payload: { sealed: "v1.a.b.c" } }]));

  const tooEarly = startRotation();
  expect(await tooEarly.ended).toBe(1);
  expect(tooEarly.said()).toContain("Emails queued by the previous version are still waiting: 1.");
  expect(tooEarly.said()).not.toContain("is no longer needed");
  const { rows } = await client.query("select id, organization_id, sealed from security_service.letters order by id");
  expect(rows.map(({ sealed, ...email }) => after.open(sealed, emailSealingContext(email)))).toEqual([
    "a letter",
    "a letter",
  ]);

  const work = queue.work(earlier, { concurrency: 1, handle: async () => {} });
  await expect
    .poll(async () => await queue.countWaiting(earlier), { timeout: 60_000 })
    .toMatchObject({ waiting: 0, running: 0 });
  await work.stop();
  const later = startRotation();
  expect(await later.ended, later.said()).toBe(0);
  expect(later.said()).toContain("SECRETS_KEY_PREVIOUS is no longer needed.");
});
