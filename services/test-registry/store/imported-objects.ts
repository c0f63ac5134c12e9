import { type Kysely, sql } from "kysely";
import type { AnyTables } from "../../kit/database/database.ts";
import { schemaName, type TestDatabase, type TestTransaction } from "./tables.ts";

const table = sql.id(schemaName, "imported_objects");

/** What came from which files, so that another import of them recognizes it. */
export async function createImportedObjects(db: Kysely<AnyTables>): Promise<void> {
  await sql`
    create table ${table} (
      organization_id uuid not null,
      api_id uuid not null,
      collection text not null,
      kind text not null check (kind in ('api', 'test', 'circle', 'credential')),
      source_key text not null,
      object_id uuid not null,
      source_hash text not null,
      object_version integer,
      sealed_secret text,
      primary key (organization_id, api_id, collection, kind, source_key)
    )`.execute(db);
}

/** A migration step: environments of APIs, too. */
export async function rememberEnvironments(db: Kysely<AnyTables>): Promise<void> {
  await sql`alter table ${table} drop constraint imported_objects_kind_check`.execute(db);
  await sql`
    alter table ${table} add constraint imported_objects_kind_check
      check (kind in ('api', 'test', 'circle', 'credential', 'environment'))`.execute(db);
}

export interface ImportedObject {
  kind: "api" | "test" | "circle" | "credential" | "environment";
  key: string;
  objectId: string;
  /** Of what the files said. */
  hash: string;
  /** Of the test or circle as the import left it. */
  version: number | null;
  /** Of a credential; of an environment its secrets by name, as JSON. */
  sealedSecret: string | null;
}

export type KnownObject = ImportedObject & {
  collection: string;
  /** Its version now; null for what is another service's. */
  current: number | null;
};

interface OfApi {
  organizationId: string;
  apiId: string;
}

/** What imports made for an API and what is there still; of credentials, only their service knows that. */
export async function listImportedObjects(
  db: TestDatabase,
  { organizationId, apiId }: OfApi,
  collection?: string,
): Promise<KnownObject[]> {
  const { rows } = await sql<KnownObject>`
    select imported.collection, imported.kind, imported.source_key as key, imported.object_id as "objectId",
      imported.source_hash as hash, imported.object_version as version, imported.sealed_secret as "sealedSecret",
      coalesce(test.version, circle.version) as current
    from ${table} imported
    left join ${sql.id(schemaName, "tests")} test on imported.kind = 'test'
      and test.organization_id = imported.organization_id and test.id = imported.object_id
    left join ${sql.id(schemaName, "test_circles")} circle on imported.kind = 'circle'
      and circle.organization_id = imported.organization_id and circle.id = imported.object_id
    where imported.organization_id = ${organizationId}::uuid and imported.api_id = ${apiId}::uuid
      and (${collection ?? null}::text is null or imported.collection = ${collection ?? null}::text)
      and (imported.kind in ('api', 'credential', 'environment') or test.id is not null or circle.id is not null)
    order by imported.kind, imported.source_key limit 20000`.execute(db);
  return rows;
}

/** The API that was made from files of a collection, under a name. */
export async function findMadeApi(
  db: TestDatabase,
  { organizationId, collection, name }: { organizationId: string; collection: string; name: string },
): Promise<string | undefined> {
  const row = await db
    .selectFrom("imported_objects")
    .select("object_id")
    .where("organization_id", "=", organizationId)
    .where("kind", "=", "api")
    .where("collection", "=", collection)
    .where("source_key", "=", name)
    .orderBy("object_id", "desc")
    .executeTakeFirst();
  return row?.object_id;
}

export async function storeImportedObjects(
  transaction: TestTransaction,
  { organizationId, apiId, collection }: OfApi & { collection: string },
  objects: readonly ImportedObject[],
): Promise<void> {
  if (objects.length === 0) return;
  const rows = objects.map(({ kind, key, objectId, hash, version, sealedSecret }) => ({
    ...{ organization_id: organizationId, api_id: apiId, collection, kind, source_key: key, object_id: objectId },
    ...{ source_hash: hash, object_version: version, sealed_secret: sealedSecret },
  }));
  // Parameters of one statement are limited to 65,535.
  for (let from = 0; from < rows.length; from += 1_000)
    await transaction
      .insertInto("imported_objects")
      .values(rows.slice(from, from + 1_000))
      .onConflict((conflict) =>
        conflict.columns(["organization_id", "api_id", "collection", "kind", "source_key"]).doUpdateSet((row) => ({
          object_id: row.ref("excluded.object_id"),
          source_hash: row.ref("excluded.source_hash"),
          object_version: row.ref("excluded.object_version"),
          sealed_secret: row.ref("excluded.sealed_secret"),
        })),
      )
      .execute();
}

export async function forgetImportedObjects(
  transaction: TestTransaction,
  { organizationId, apiId }: OfApi,
): Promise<void> {
  await transaction
    .deleteFrom("imported_objects")
    .where("organization_id", "=", organizationId)
    .where("api_id", "=", apiId)
    .execute();
}
