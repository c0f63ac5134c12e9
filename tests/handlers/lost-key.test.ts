import { readFileSync } from "node:fs";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { sealedColumns as columns } from "../../server/sealed-columns.ts";
import { openHandledServices } from "../support/handled-services.ts";

/** The mailbox is the embedded database's. */
const sealedColumns = columns.filter(({ schema }) => schema !== "mailbox");

const dummies: Record<string, string> = {
  uuid: "gen_random_uuid()",
  text: "'x'",
  jsonb: "'{}'",
  boolean: "true",
  integer: "1",
  bigint: "1",
  "timestamp with time zone": "now()",
  ARRAY: "'{}'",
};

/** The commands of the section for operators. */
function readRecipe(): string {
  const section = readFileSync("docs/operations.md", "utf8").split("## A lost key\n")[1]!;
  return /```sql\n(.*?)```/s.exec(section)![1]!;
}

test("after a lost key, the commands in operations.md leave nothing sealed, and keep unsealed data", async () => {
  const services = await openHandledServices();
  onTestFinished(() => services.stop());
  const client = new pg.Client({ connectionString: services.databaseUrl });
  await client.connect();
  onTestFinished(() => client.end());
  // Plain rows, without everything that would belong to them.
  await client.query("set session_replication_role = replica");

  async function insert(schema: string, table: string, given: Record<string, string>) {
    const { rows } = await client.query(
      `select column_name, data_type from information_schema.columns where table_schema = $1 and table_name = $2
        and is_nullable = 'NO' and column_default is null and identity_generation is null`,
      [schema, table],
    );
    const needed = Object.fromEntries(rows.map(({ column_name, data_type }) => [column_name, dummies[data_type]]));
    const values = { ...needed, ...given };
    await client.query(`insert into ${schema}.${table} (${Object.keys(values)}) values (${Object.values(values)})`);
  }

  const variables = `'[{"name": "token", "value": "v1.a.b.c", "secret": true}, {"name": "word", "value": "v", "secret": false}]'`;
  const special: Record<string, Record<string, string>> = {
    "test_circles.variables": { variables },
    "run_captures.value": { value: "'v1.a.b.c'", is_secret: "true" },
    "alert_channels.sealed_previous_secret": {
      name: "'Rotated'",
      sealed_secret: "'v1.a.b.c'",
      sealed_previous_secret: "'v1.a.b.c'",
    },
    "vault_connections.sealed_secret": { authentication: "'token'", sealed_secret: "'v1.a.b.c'" },
    "imported_objects.sealed_secret": { kind: "'credential'", sealed_secret: "'v1.a.b.c'" },
    "code_operations.sealed_secrets": { state: "'applying'", sealed_secrets: "'v1.a.b.c'" },
    "subscriptions.approve_url": { state: "'PENDING_APPROVAL'", approve_url: "'v1.a.b.c'" },
    "plan_changes.approve_url": { state: "'PENDING_APPROVAL'", approve_url: "'v1.a.b.c'" },
  };
  const listSealed = async () => {
    const found: string[] = [];
    for (const { schema, table, column } of sealedColumns) {
      const secretOnly = table === "run_captures" ? "and is_secret" : "";
      const { rowCount } = await client.query(
        `select from ${schema}.${table} where ${column}::text like '%v1.%' ${secretOnly}`,
      );
      if (rowCount) found.push(`${schema}.${table}.${column}`);
    }
    return found;
  };
  // The signing key exists from the start.
  const there = await listSealed();
  for (const { schema, table, column } of sealedColumns) {
    if (there.includes(`${schema}.${table}.${column}`)) continue;
    const given = special[`${table}.${column}`] ?? { [column]: "'v1.a.b.c'" };
    await insert(schema, table, table === "alert_channels" ? { name: `'${column}'`, ...given } : given);
  }
  await insert("test_analyzer", "alert_channels", { name: "'Mail'" });
  await insert("test_executioner", "run_captures", { name: "'open'", value: "'v1.not.sealed.'", is_secret: "false" });
  await client.query(`insert into test_analyzer.alert_rules
    select gen_random_uuid(), organization_id, 'organization', organization_id, '{}', array(select id from test_analyzer.alert_channels),
      1, now(), now() from test_analyzer.alert_channels where name = 'Mail'`);

  expect(await listSealed()).toEqual(sealedColumns.map(({ schema, table, column }) => `${schema}.${table}.${column}`));
  await client.query(readRecipe());
  expect(await listSealed()).toEqual([]);
  const stored = await client.query(`
    select (select jsonb_agg(variables) from test_registry.test_circles) as variables,
      (select array_agg(name) from test_analyzer.alert_channels) as channels,
      (select cardinality(channel_ids) from test_analyzer.alert_rules) as told,
      (select array_agg(name) from test_executioner.run_captures) as captures`);
  expect(stored.rows).toEqual([
    {
      variables: [[{ name: "word", value: "v", secret: false }]],
      channels: ["Mail"],
      told: 1,
      captures: ["open"],
    },
  ]);
});
