import { type RawBuilder, sql } from "kysely";
import type { CodeKind, CodeProvenance } from "#contracts/code/objects.ts";
import type { JsonRecord } from "#libraries/json/json-value.ts";
import type { AnyTables, Executor } from "../database/database.ts";
import type { CodeTable, CodeTransaction } from "./code-kind.ts";
import { noParent } from "./code-tables.ts";
import { freeKey } from "./keys.ts";

type Db = Executor<AnyTables> | CodeTransaction;

export interface CodeRow {
  object_id: string;
  parent_id: string;
  key: string;
  secret_names: Record<string, string>;
  applied_hash: string | null;
  applied_value: JsonRecord | null;
  repository: string | null;
  commit: string | null;
  applied_at: Date | null;
}

const objectsOf = (schema: string) => sql.id(schema, "code_objects");

/** Rows of a kind, by the object's id. */
export async function readCodeRows(
  db: Db,
  schema: string,
  { organizationId, kind, ids }: { organizationId: string; kind: CodeKind; ids?: readonly string[] },
): Promise<Map<string, CodeRow>> {
  const only = ids ? sql`and object_id = any(${ids}::uuid[])` : sql``;
  const { rows } = await sql<CodeRow>`
    select object_id, parent_id, key, secret_names, applied_hash, applied_value, repository, commit, applied_at
    from ${objectsOf(schema)} where organization_id = ${organizationId}::uuid and kind = ${kind} ${only}`.execute(db);
  return new Map(rows.map((row) => [row.object_id, row]));
}

/** When the row of an object was changed last. */
export async function readChangedAt(
  db: Db,
  schema: string,
  { table, idColumn }: CodeTable,
  { organizationId, id }: { organizationId: string; id: string },
): Promise<Date | undefined> {
  const { rows } = await sql<{ updated_at: Date }>`
    select updated_at from ${sql.id(schema, table)}
    where organization_id = ${organizationId}::uuid and ${sql.id(idColumn)} = ${id}::uuid`.execute(db);
  return rows[0]?.updated_at;
}

/** Keys of a kind, by the object's id. */
export async function readKeys(
  db: Db,
  schema: string,
  { organizationId, kind }: { organizationId: string; kind: CodeKind },
): Promise<{ id: string; parentId: string; key: string }[]> {
  const { rows } = await sql<{ id: string; parentId: string; key: string }>`
    select object_id as id, parent_id as "parentId", key from ${objectsOf(schema)}
    where organization_id = ${organizationId}::uuid and kind = ${kind}`.execute(db);
  return rows;
}

interface Keyless {
  id: string;
  parentId: string;
  text: string;
}

/** Objects that have no key, oldest first. */
async function listKeyless(db: Db, schema: string, organizationId: string, kind: CodeKind, of: CodeTable) {
  const { table, idColumn, parentColumn, keyText } = of;
  const parent = parentColumn ? sql`object.${sql.id(parentColumn)}` : sql`${noParent}::uuid`;
  const { rows } = await sql<Keyless>`
    select object.${sql.id(idColumn)} as id, ${parent} as "parentId", ${sql.raw(keyText)} as text
    from ${sql.id(schema, table)} object
    where object.organization_id = ${organizationId}::uuid and not exists (
      select from ${objectsOf(schema)} code where code.organization_id = object.organization_id
        and code.kind = ${kind} and code.object_id = object.${sql.id(idColumn)})
    order by 1`.execute(db);
  return rows;
}

/** Gives a key to each object of a kind that has none; concurrent calls give the same ones. */
export async function giveKeys(
  db: Executor<AnyTables>,
  schema: string,
  {
    organizationId,
    kind,
    of,
    toKey,
  }: {
    organizationId: string;
    kind: CodeKind;
    of: CodeTable;
    toKey: (text: string) => string;
  },
): Promise<void> {
  if ((await listKeyless(db, schema, organizationId, kind, of)).length === 0) return;
  await db.transaction().execute(async (transaction) => {
    await lockKeys(transaction, organizationId);
    const keyless = await listKeyless(transaction, schema, organizationId, kind, of);
    const taken = new Map<string, Set<string>>();
    for (const { parentId, key } of await readKeys(transaction, schema, { organizationId, kind })) {
      taken.set(parentId, (taken.get(parentId) ?? new Set()).add(key));
    }
    const given = keyless.map(({ id, parentId, text }) => {
      const siblings = taken.get(parentId) ?? new Set<string>();
      taken.set(parentId, siblings);
      const key = freeKey(toKey(text), kind.toLowerCase(), siblings);
      siblings.add(key);
      return { id, parentId, key };
    });
    await insertKeys(transaction, schema, { organizationId, kind }, given);
  });
}

/** Another transaction that gives keys waits for the end of this one. */
async function lockKeys(transaction: CodeTransaction, organizationId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${organizationId}, 7231))`.execute(transaction);
}

/** @throws the database's unique violation where another object has a key */
export async function insertKeys(
  transaction: CodeTransaction,
  schema: string,
  { organizationId, kind }: { organizationId: string; kind: CodeKind },
  given: readonly { id: string; parentId: string; key: string }[],
): Promise<void> {
  await sql`
    insert into ${objectsOf(schema)} (organization_id, kind, object_id, parent_id, key)
    select ${organizationId}::uuid, ${kind}, given.* from unnest(${given.map(({ id }) => id)}::uuid[],
      ${given.map(({ parentId }) => parentId)}::uuid[], ${given.map(({ key }) => key)}::text[]) as given`.execute(
    transaction,
  );
}

export interface AppliedObject {
  id: string;
  hash: string;
  value: JsonRecord;
}

/** Stores the names that files have for secrets of objects. */
export async function storeSecretNames(
  transaction: CodeTransaction,
  schema: string,
  { organizationId, kind }: { organizationId: string; kind: CodeKind },
  named: readonly { id: string; names: Record<string, string> }[],
): Promise<void> {
  if (named.length === 0) return;
  await sql`
    update ${objectsOf(schema)} code set secret_names = given.names::jsonb
    from unnest(${named.map(({ id }) => id)}::uuid[], ${named.map(({ names }) => JSON.stringify(names))}::text[])
      as given(id, names)
    where code.organization_id = ${organizationId}::uuid and code.kind = ${kind} and code.object_id = given.id`.execute(
    transaction,
  );
}

/** Stores that files hold these objects as they are. */
export async function storeApplied(
  transaction: CodeTransaction,
  schema: string,
  {
    organizationId,
    kind,
    provenance,
    now,
  }: {
    organizationId: string;
    kind: CodeKind;
    provenance: CodeProvenance;
    now: Date;
  },
  applied: readonly AppliedObject[],
): Promise<void> {
  await sql`
    update ${objectsOf(schema)} code set applied_hash = given.hash, applied_value = given.value::json,
      repository = ${provenance.repository},
      commit = ${provenance.commit}, applied_at = ${now}::timestamptz
    from unnest(${applied.map(({ id }) => id)}::uuid[], ${applied.map(({ hash }) => hash)}::text[],
      ${applied.map(({ value }) => JSON.stringify(value))}::text[]) as given(id, hash, value)
    where code.organization_id = ${organizationId}::uuid and code.kind = ${kind} and code.object_id = given.id`.execute(
    transaction,
  );
}

/** Rows of objects as JSON texts, before files hold them. */
export async function readRowImages(
  transaction: CodeTransaction,
  schema: string,
  { organizationId, kind, ids }: { organizationId: string; kind: CodeKind; ids: readonly string[] },
): Promise<string[]> {
  const { rows } = await sql<{ row: string }>`
    select row_to_json(code)::text as row from ${objectsOf(schema)} code where organization_id = ${organizationId}::uuid
      and kind = ${kind} and object_id = any(${ids}::uuid[])`.execute(transaction);
  return rows.map(({ row }) => row);
}

/** Restores what files held before. */
export async function restoreRowImages(
  transaction: CodeTransaction,
  schema: string,
  images: readonly string[],
): Promise<void> {
  if (images.length === 0) return;
  await sql`
    update ${objectsOf(schema)} code set applied_hash = image.applied_hash, applied_value = image.applied_value,
      secret_names = image.secret_names, repository = image.repository, commit = image.commit,
      applied_at = image.applied_at
    from json_populate_recordset(null::${objectsOf(schema)}, ${`[${images.join(",")}]`}::json) image
    where code.organization_id = image.organization_id and code.kind = image.kind
      and code.object_id = image.object_id`.execute(transaction);
}

interface Step {
  is_undone: boolean;
  created: Record<string, string[]> | null;
  images: Record<string, JsonRecord[]> | null;
}

type StepKey = { organizationId: string; applicationId: string; step: "changes" | "deletions" };

const stepsOf = (schema: string) => sql.id(schema, "code_steps");
const isStep = ({ organizationId, applicationId, step }: StepKey): RawBuilder<unknown> => sql`
  organization_id = ${organizationId}::uuid and operation_id = ${applicationId}::uuid and step = ${step}`;

/** Reserves a step of an application; the step as it was if it was reserved before. */
export async function reserveStep(
  transaction: CodeTransaction,
  schema: string,
  key: StepKey & { isUndone: boolean; now: Date },
): Promise<Step | undefined> {
  const { rows } = await sql`
    insert into ${stepsOf(schema)} (organization_id, operation_id, step, is_undone, created_at)
    values (${key.organizationId}::uuid, ${key.applicationId}::uuid, ${key.step}, ${key.isUndone}, ${key.now}::timestamptz)
    on conflict do nothing returning step`.execute(transaction);
  if (rows.length > 0) return undefined;
  const found = await sql<Step>`
    select is_undone, created, images from ${stepsOf(schema)} where ${isStep(key)} for update`.execute(transaction);
  return found.rows[0];
}

export async function completeStep(
  transaction: CodeTransaction,
  schema: string,
  key: StepKey,
  { created, images }: Pick<Step, "created" | "images">,
): Promise<void> {
  await sql`update ${stepsOf(schema)} set created = ${JSON.stringify(created)}::json,
    images = ${JSON.stringify(images)}::json where ${isStep(key)}`.execute(transaction);
}

export async function markUndone(transaction: CodeTransaction, schema: string, key: StepKey): Promise<void> {
  await sql`update ${stepsOf(schema)} set is_undone = true, images = null where ${isStep(key)}`.execute(transaction);
}

/** Deletes what an application stored to be undone, and steps of applications that ended long ago. */
export async function forgetImages(
  db: Db,
  schema: string,
  { organizationId, applicationId, before }: { organizationId: string; applicationId: string; before: Date },
): Promise<void> {
  await sql`update ${stepsOf(schema)} set images = null, created = null
    where organization_id = ${organizationId}::uuid and operation_id = ${applicationId}::uuid`.execute(db);
  await sql`delete from ${stepsOf(schema)}
    where organization_id = ${organizationId}::uuid and created_at < ${before}::timestamptz and images is null`.execute(
    db,
  );
}
