import type pg from "pg";

const schemas = [
  "api_registry",
  "portal_service",
  "security_service",
  "test_analyzer",
  "test_executioner",
  "test_registry",
];
/** Records sign-outs for every process for ten minutes. */
const goesByItself = ["security_service.access_changes"];
/** In the operator's organization, records who deleted another one. */
const grows = ["records", "links", "chains"].map((table) => `security_service.audit_${table}`);
/** Changes on a timer: alerts are sent, by email as well, burn rates are computed, and recorded responses looked at, also for what tests notice. */
const goesOn = [
  ...["test_analyzer.alert_deliveries", "test_analyzer.letters", "test_analyzer.service_levels"],
  ...["test_executioner.looked_at_runs", "test_executioner.noticed_runs", "test_executioner.test_notices"],
];
/** Requests to the payment provider, and its responses, depend on a timer. */
const goOn: Record<string, string[]> = {
  "portal_service.subscriptions": [
    ...["hinted_at", "ask_at", "answered_at", "updated_at", "asked", "answered", "answer_differences"],
  ],
};

/** Every table with a column of organizations, read from the database. */
async function listTables(database: pg.Client): Promise<string[]> {
  const { rows } = await database.query<{ name: string }>(
    `select table_schema || '.' || table_name as name from information_schema.columns
     where column_name = 'organization_id' and table_schema = any($1) order by 1`,
    [schemas],
  );
  return rows.map(({ name }) => name).filter((name) => !goesByItself.includes(name));
}

/** Row counts of an organization per table, where not zero. */
export async function countRows(database: pg.Client, organizationId: string): Promise<Record<string, number>> {
  const counted: Record<string, number> = {};
  for (const name of await listTables(database)) {
    const { rows } = await database.query(`select count(*)::int as rows from ${name} where organization_id = $1`, [
      organizationId,
    ]);
    if (rows[0].rows > 0) counted[name] = rows[0].rows;
  }
  return counted;
}

/** A hash of an organization's rows, per table. */
export async function readChecksums(database: pg.Client, organizationId: string): Promise<Record<string, string>> {
  const sums: Record<string, string> = {};
  for (const name of (await listTables(database)).filter((one) => ![...grows, ...goesOn].includes(one))) {
    const { rows } = await database.query(
      `select md5(string_agg(row, '|' order by row)) as sum
       from ${name} one, cast(to_jsonb(one) - $2::text[] as text) row where organization_id = $1`,
      [organizationId, goOn[name] ?? []],
    );
    sums[name] = rows[0].sum;
  }
  return sums;
}

/** Whether every event of an organization has been delivered to the services concerned, and every email sent. */
export async function isQuiet(database: pg.Client, organizationId: string): Promise<boolean> {
  return Object.keys(await countRows(database, organizationId)).every(
    (name) => !/event_deliveries$|letters$/.test(name),
  );
}

/** Prevents the incident of a location without calls, which would open during a test of more than five minutes. */
export async function keepLocationsHeard(database: pg.Client, organizationId: string): Promise<void> {
  await database.query(
    "update test_executioner.locations set created_at = now() + interval '1 day' where organization_id = $1",
    [organizationId],
  );
}
