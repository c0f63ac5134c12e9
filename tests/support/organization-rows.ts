import type pg from "pg";

const schemas = [
  "api_registry",
  "portal_service",
  "security_service",
  "test_analyzer",
  "test_executioner",
  "test_registry",
];
/** Ten minutes long it tells every process who is signed out. */
const goesByItself = ["security_service.access_changes"];
/** In the operator's organization it says who deleted another one. */
const grows = ["records", "links", "chains"].map((table) => `security_service.audit_${table}`);
/** Go on by the clock: alerts are sent, by mail as well, and burn rates looked at. */
const goesOn = ["test_analyzer.alert_deliveries", "test_analyzer.letters", "test_analyzer.service_levels"];
/** When the payment provider is asked, and has answered, goes by the clock. */
const goOn: Record<string, string[]> = {
  "portal_service.subscriptions": [
    ...["hinted_at", "ask_at", "answered_at", "updated_at", "asked", "answered", "answer_differences"],
  ],
};

/** Every table with a column of organizations, as the database has them. */
async function listTables(database: pg.Client): Promise<string[]> {
  const { rows } = await database.query<{ name: string }>(
    `select table_schema || '.' || table_name as name from information_schema.columns
     where column_name = 'organization_id' and table_schema = any($1) order by 1`,
    [schemas],
  );
  return rows.map(({ name }) => name).filter((name) => !goesByItself.includes(name));
}

/** How many rows of an organization each table has, where it has any. */
export async function rowsOf(database: pg.Client, organizationId: string): Promise<Record<string, number>> {
  const counted: Record<string, number> = {};
  for (const name of await listTables(database)) {
    const { rows } = await database.query(`select count(*)::int as rows from ${name} where organization_id = $1`, [
      organizationId,
    ]);
    if (rows[0].rows > 0) counted[name] = rows[0].rows;
  }
  return counted;
}

/** What each table has of an organization, as a hash. */
export async function checksumsOf(database: pg.Client, organizationId: string): Promise<Record<string, string>> {
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

/** Whether everything an organization did has been told to the services that want to know, and by mail. */
export async function isQuiet(database: pg.Client, organizationId: string): Promise<boolean> {
  return Object.keys(await rowsOf(database, organizationId)).every((name) => !/event_deliveries$|letters$/.test(name));
}
