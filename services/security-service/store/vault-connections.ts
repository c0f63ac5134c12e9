import { type Kysely, type Selectable, sql } from "kysely";
import type { AnyTables, Executor } from "../../kit/database/database.ts";
import { type SecurityTables, schemaName } from "./tables.ts";

type Db = Executor<SecurityTables>;
export type VaultConnectionRow = Selectable<SecurityTables["vault_connections"]>;

/** Connections to HashiCorp Vault, and references of credentials whose secret is not stored. */
export async function addSecretReferences(db: Kysely<AnyTables>): Promise<void> {
  const table = (name: string) => sql.id(schemaName, name);
  await sql`
    create table ${table("vault_connections")} (
      organization_id uuid primary key references ${table("organizations")} on delete cascade,
      address text not null,
      namespace text not null,
      mount text not null,
      authentication text not null check (authentication in ('token', 'appRole')),
      role_id text not null,
      sealed_secret text not null,
      updated_at timestamptz not null
    )`.execute(db);
  await sql`alter table ${table("credentials")} add column reference jsonb`.execute(db);
}

export async function findVaultConnection(db: Db, organizationId: string): Promise<VaultConnectionRow | undefined> {
  return await db
    .selectFrom("vault_connections")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .executeTakeFirst();
}

export async function storeVaultConnection(db: Db, row: VaultConnectionRow): Promise<void> {
  const { organization_id: _, ...changes } = row;
  await db
    .insertInto("vault_connections")
    .values(row)
    .onConflict((conflict) => conflict.column("organization_id").doUpdateSet(changes))
    .execute();
}

/** @returns the deleted row */
export async function removeVaultConnection(db: Db, organizationId: string): Promise<VaultConnectionRow | undefined> {
  return await db
    .deleteFrom("vault_connections")
    .where("organization_id", "=", organizationId)
    .returningAll()
    .executeTakeFirst();
}
