import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createSecretVariables } from "../services/api-registry/http/secret-variables.ts";
import type { StoredSecret } from "../services/api-registry/store/secret-variables.ts";
import { type Database, json } from "../services/kit/database/database.ts";
import { emailSealingContext } from "../services/kit/mail/email-table.ts";
import { testEngines } from "../services/kit/testing/databases.ts";
import { resealColumn, type SealedColumn } from "../services/kit/vault/sealed-column.ts";
import { createVault } from "../services/kit/vault/vault.ts";
import { createChannelSecrets } from "../services/test-analyzer/jobs/channel-secrets.ts";
import { createCaptureSeal } from "../services/test-executioner/jobs/capture-seal.ts";
import { createCircleVariables } from "../services/test-registry/http/circle-variables.ts";
import { secretContext } from "../services/test-registry/http/imported-before.ts";
import { sealedColumns } from "./sealed-columns.ts";
import { sendingServices } from "./sending-services.ts";

const oldKey = "the key before, of more than 32 characters";
const newKey = "the key after it, of more than 32 characters";
const before = createVault(oldKey);
const between = createVault(newKey, [oldKey]);
const after = createVault(newKey);
const organizationId = uuidv7();
const id = uuidv7();
let database: Database;

beforeAll(async () => {
  database = await testEngines()[0].open();
});
afterAll(() => database.close());

const toColumn = (table: string, column: string) =>
  sealedColumns.find((one) => one.table === table && one.column === column)!;

/** A table of those columns alone, with one row. */
async function store({ schema, table, column, json: isJson }: SealedColumn, row: Record<string, unknown>) {
  await sql`create schema if not exists ${sql.id(schema)}`.execute(database.kysely);
  const names = Object.keys(row);
  const types = names.map((name) => {
    if (name === column) return sql`${sql.id(name)} ${isJson ? sql`jsonb` : sql`text`}`;
    return sql`${sql.id(name)} ${typeof row[name] === "boolean" ? sql`boolean` : sql`text`}`;
  });
  await sql`drop table if exists ${sql.id(schema, table)} cascade`.execute(database.kysely);
  await sql`create table ${sql.id(schema, table)} (${sql.join(types)})`.execute(database.kysely);
  const values = names.map((name) => (name === column && isJson ? json(row[name]) : sql`${row[name]}`));
  await sql`insert into ${sql.id(schema, table)} values (${sql.join(values)})`.execute(database.kysely);
}

async function reseal<Row>(column: SealedColumn, row: Record<string, unknown>): Promise<Row> {
  await store(column, row);
  expect(await resealColumn(database.kysely, between, column)).toBe(1);
  expect(await resealColumn(database.kysely, between, column)).toBe(0);
  const { rows } = await sql<Row>`select * from ${sql.id(column.schema, column.table)}`.execute(database.kysely);
  return rows[0]!;
}

test("L01: secret variables of circles open with the new key, and the others are unchanged", async () => {
  const given = [
    { name: "token", value: "s3cret", secret: true },
    { name: "open", value: "v1.not.a.secret", secret: false },
  ];
  const owner = { organizationId, testCircleId: id };
  const variables = createCircleVariables(before).seal(owner, { name: "c", variables: given }, undefined);
  const row = await reseal(toColumn("test_circles", "variables"), { id, organization_id: organizationId, variables });
  expect(createCircleVariables(after).open(row as never)).toEqual(given);
});

test("L01: secret variables of APIs and environments open with the new key", async () => {
  const owner = { organizationId, apiId: id };
  const given = {
    environment: "Staging",
    variables: {},
    secretVariables: [{ name: "key", value: "s3cret" }],
    path: "",
  };
  const [{ environment, name, value }] = createSecretVariables(before).seal(owner, given, []) as [StoredSecret];
  const row = { api_id: id, organization_id: organizationId, environment, name, value };
  const resealed = await reseal<{ value: string }>(toColumn("secret_variables", "value"), row);
  expect(createSecretVariables(after).open(owner, { environment, name, value: resealed.value })).toBe("s3cret");
});

test("L01: what an import remembers of a secret opens with the new key", async () => {
  const location = secretContext(organizationId, id);
  const row = await reseal<{ sealed_secret: string }>(toColumn("imported_objects", "sealed_secret"), {
    ...{ organization_id: organizationId, api_id: id, collection: "shop", kind: "credential", source_key: "key" },
    ...{ object_id: id, sealed_secret: before.seal("s3cret", location) },
  });
  expect(after.open(row.sealed_secret, location)).toBe("s3cret");
});

test("L01: secret captures open with the new key, and values that only look sealed are unchanged", async () => {
  const run = { organization_id: organizationId, run_id: id };
  const column = toColumn("run_captures", "value");
  const { value } = createCaptureSeal(before).close(run, { name: "token", isSecret: true, value: "s3cret" });
  const row = await reseal<{ value: string }>(column, { ...run, name: "token", value, is_secret: true });
  const opened = createCaptureSeal(after).open(run, { name: "token", isSecret: true, value: row.value });
  expect(opened.value).toBe("s3cret");
  await store(column, { ...run, name: "open", value: "v1.a.b.c", is_secret: false });
  expect(await resealColumn(database.kysely, between, column)).toBe(0);
});

test("L01: addresses and signing secrets of alert channels open with the new key", async () => {
  const location = { id, organization_id: organizationId };
  for (const [name, what] of [
    ["sealed_url", "url"],
    ["sealed_key", "key"],
    ["sealed_secret", "secret"],
    ["sealed_previous_secret", "secret"],
  ] as const) {
    const sealed = createChannelSecrets(before).seal(location, what, "https://hooks.example.com/s3cret");
    const row = await reseal<Record<string, string>>(toColumn("alert_channels", name), { ...location, [name]: sealed });
    const channel = { ...location, sealed_url: row[name] ?? null, url: null };
    if (what === "url") {
      expect(createChannelSecrets(after).addressOf(channel as never)).toBe("https://hooks.example.com/s3cret");
    }
    expect(after.isCurrent(row[name]!)).toBe(true);
  }
});

test("L01: queued emails open with the new key", async () => {
  const columns = sealedColumns.filter(({ schema, table }) => table === "letters" && schema !== "mailbox");
  expect(columns.length).toBe(sendingServices.length);
  for (const column of columns) {
    for (const organization_id of [organizationId, null]) {
      const location = emailSealingContext({ id, organization_id });
      const sealed = before.seal("a letter", location);
      const row = await reseal<{ sealed: string }>(column, { id, organization_id, sealed });
      expect(after.open(row.sealed, location)).toBe("a letter");
    }
  }
});

test("L01: everything sealed can be sealed again: a new column has to be added to sealed-columns.ts", () => {
  const files = ["services", "server"].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" }).map((file) => join(folder, file)),
  );
  const sealing = files.filter(
    (file) =>
      /\.ts$/.test(file) &&
      !/\.test\.ts$|\/testing\/|kit\/vault\//.test(file) &&
      /\bvault\s*\.seal\(/.test(readFileSync(file, "utf8")),
  );
  expect(sealing.sort()).toEqual([
    "services/api-registry/http/secret-variables.ts",
    "services/kit/mail/mail.ts",
    "services/kit/mail/mailbox.ts",
    "services/portal-service/jobs/provider-orders.ts",
    "services/security-service/http/credentials.ts",
    "services/security-service/http/second-factor.ts",
    "services/security-service/http/single-sign-on.ts",
    "services/security-service/http/vault-connections.ts",
    "services/security-service/secrets/signing-key.ts",
    "services/test-analyzer/jobs/channel-secrets.ts",
    "services/test-analyzer/jobs/status-mail.ts",
    "services/test-executioner/jobs/capture-seal.ts",
    "services/test-registry/http/circle-variables.ts",
    "services/test-registry/http/code.ts",
    "services/test-registry/http/import-files.ts",
    "services/test-registry/http/remembered-import.ts",
  ]);
});
