import { type Kysely, type RawBuilder, sql } from "kysely";
import type { Logger } from "pino";
import type { AnyTables, Database } from "./database.ts";
import { organizationRole, organizationSetting } from "./organization-scope.ts";

const policy = "of_organization";

/** SQL for the organization of a statement. */
const current = sql.raw(`nullif(current_setting('${organizationSetting}', true), '')::uuid`);

/**
 * Creates a policy for a table without an organization column: a migration step for tables that no foreign key links
 * to one with it.
 * @param condition on a row; the tables that it queries are restricted to the organization's rows
 */
export async function keepApart(
  db: Kysely<AnyTables>,
  schema: string,
  name: string,
  condition: RawBuilder<unknown>,
): Promise<void> {
  await sql`create policy ${sql.id(policy)} on ${sql.id(schema, name)} using (${condition})`.execute(db);
}

/** The row's own id is the organization's. */
export const isCurrentOrganization = (column: string) => sql`${sql.id(column)} = ${current}`;

/** A row that it references is the organization's. */
export function isOfParent(
  schema: string,
  { child, parent }: { child: string; parent: string },
  parentColumns: Record<string, string>,
) {
  const same = Object.entries(parentColumns).map(
    ([column, parentColumn]) => sql`parent.${sql.id(parentColumn)} = ${sql.id(child, column)}`,
  );
  return sql`exists (select from ${sql.id(schema, parent)} as parent where ${sql.join(same, sql` and `)})`;
}

interface Table {
  name: string;
  hasOrganization: boolean;
  hasPolicy: boolean;
  isApart: boolean;
  isGranted: boolean;
}

interface Reference {
  child: string;
  parent: string;
  /** Columns of the parent, by those of the child. */
  columns: Record<string, string>;
}

async function listTables(db: Kysely<AnyTables>, schema: string): Promise<Table[]> {
  const { rows } = await sql<Table>`
    select class.relname as name, class.relrowsecurity as "isApart",
      exists (select from pg_attribute column_of where column_of.attrelid = class.oid
        and column_of.attname = 'organization_id' and not column_of.attisdropped) as "hasOrganization",
      exists (select from pg_policy one where one.polrelid = class.oid) as "hasPolicy",
      coalesce(has_table_privilege(to_regrole(${organizationRole})::oid, class.oid, 'DELETE'), false) as "isGranted"
    from pg_class class
    where class.relnamespace = to_regnamespace(${schema}) and class.relkind in ('r', 'p') and not class.relispartition
      and class.relname not in ('migrations', 'migrations_lock')`.execute(db);
  return rows;
}

/** References whose columns are never null. */
async function listReferences(db: Kysely<AnyTables>, schema: string): Promise<Reference[]> {
  const { rows } = await sql<Reference>`
    select child.relname as child, parent.relname as parent,
      (select json_object_agg(of_child.attname, of_parent.attname)
        from unnest(reference.conkey, reference.confkey) as key(child_number, parent_number)
        join pg_attribute of_child on of_child.attrelid = child.oid and of_child.attnum = child_number
        join pg_attribute of_parent on of_parent.attrelid = parent.oid and of_parent.attnum = parent_number) as columns
    from pg_constraint reference
    join pg_class child on child.oid = reference.conrelid
    join pg_class parent on parent.oid = reference.confrelid
    where reference.contype = 'f' and reference.connamespace = to_regnamespace(${schema}) and child.oid <> parent.oid
      and not exists (select from pg_attribute one where one.attrelid = child.oid and one.attnum = any(reference.conkey)
        and not one.attnotnull)
    order by reference.conname`.execute(db);
  return rows;
}

/** Condition on a row: its own organization is the current one, or that of the row it references. */
function getCondition(schema: string, table: Table, apart: Set<string>, references: Reference[]) {
  if (table.hasOrganization) return isCurrentOrganization("organization_id");
  const reference = references.find(({ child, parent }) => child === table.name && apart.has(parent));
  return reference && isOfParent(schema, reference, reference.columns);
}

/** Policies for all tables of organizations, from the catalog, so that a new table can't be forgotten. */
async function separate(db: Kysely<AnyTables>, schema: string): Promise<void> {
  const tables = await listTables(db, schema);
  const references = await listReferences(db, schema);
  const apart = new Set(tables.filter(({ hasPolicy }) => hasPolicy).map(({ name }) => name));
  for (let found = true; found; ) {
    found = false;
    for (const table of tables.filter(({ name }) => !apart.has(name))) {
      const condition = getCondition(schema, table, apart, references);
      if (!condition) continue;
      await keepApart(db, schema, table.name, condition);
      apart.add(table.name);
      found = true;
    }
  }
  for (const { name, isApart, isGranted } of tables) {
    const table = sql.id(schema, name);
    if (apart.has(name) && !isApart) await sql`alter table ${table} enable row level security`.execute(db);
    const role = sql.id(organizationRole);
    if (!isGranted) await sql`grant select, insert, update, delete on ${table} to ${role}`.execute(db);
  }
}

const isFinished = ({ hasOrganization, hasPolicy, isApart, isGranted }: Table) =>
  isGranted && isApart === (hasPolicy || hasOrganization);

/** Allows this connection to become the role: by membership, which since PostgreSQL 16 may exclude that. */
const mayBecome = sql`pg_has_role(current_user, to_regrole(${organizationRole})::oid,
  case when current_setting('server_version_num')::int >= 160000 then 'SET' else 'MEMBER' end)`;

async function openRole(db: Kysely<AnyTables>): Promise<void> {
  const ask = async () => (await sql<{ may: boolean | null }>`select ${mayBecome} as may`.execute(db)).rows[0]!.may;
  const may = await ask();
  if (may) return;
  if (may === null) await sql`create role ${sql.id(organizationRole)} nologin`.execute(db);
  if (!(await ask())) await sql`grant ${sql.id(organizationRole)} to current_user`.execute(db);
}

const insufficientPrivilege = "42501";
/** Roles are global to the server: another database's portal may create this one at the same moment. */
const madeMeanwhile = new Set(["42710", "23505", "XX000"]);
const maxTries = 10;

/**
 * Lets PostgreSQL separate organizations in this schema. Its owner continues to see all rows: jobs, migrations and
 * dumps run as the owner, and so does an older version running at the same time.
 */
export async function raiseSecondWall(database: Database, schema: string, log?: Pick<Logger, "warn">): Promise<void> {
  if (database.engine === "pglite") return;
  const { kysely } = database;
  for (let tries = 1; ; tries += 1) {
    try {
      await openRole(kysely);
      break;
    } catch (error) {
      const { code = "", message } = error as { code?: string; message: string };
      if (madeMeanwhile.has(code) && tries < maxTries) continue;
      if (code !== insufficientPrivilege) throw error;
      log?.warn({ schema, reason: message }, `${withoutWall} ${remedy}`);
      return;
    }
  }
  if (!(await listTables(kysely, schema)).every(isFinished)) {
    await kysely.transaction().execute(async (transaction) => {
      await sql`select pg_advisory_xact_lock(5108843706)`.execute(transaction);
      await sql`grant usage on schema ${sql.id(schema)} to ${sql.id(organizationRole)}`.execute(transaction);
      await separate(transaction, schema);
    });
  }
  database.separateOrganizations();
}

const withoutWall = "the database does not keep organizations apart by itself; queries still do.";
const remedy = `Let its administrator run: create role ${organizationRole} nologin; grant ${organizationRole} to <user of DATABASE_URL>;`;
