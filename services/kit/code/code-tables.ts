import { type Kysely, sql } from "kysely";
import type { CodeKind } from "#contracts/code/objects.ts";
import type { AnyTables } from "../database/database.ts";

/** A service's tables of what files hold. */
export interface CodeTables {
  /** One row for each object that has a key. */
  code_objects: {
    organization_id: string;
    kind: CodeKind;
    object_id: string;
    /** Of the object that it belongs to; `noParent` without one. */
    parent_id: string;
    key: string;
    /** JSON: names of its secrets, by where they are. */
    secret_names: unknown;
    /** How files applied it last; null: they never did. */
    applied_hash: string | null;
    /** JSON. */
    applied_value: unknown;
    repository: string | null;
    commit: string | null;
    applied_at: Date | null;
  };
  /** What an application did here: its changes, and its deletions. */
  code_steps: {
    organization_id: string;
    operation_id: string;
    step: "changes" | "deletions";
    /** Undone, or to be refused if it comes late. */
    is_undone: boolean;
    /** JSON: ids of created objects, by kind. */
    created: unknown;
    /** JSON: rows as they were before, by table; null once they are not needed. */
    images: unknown;
    created_at: Date;
  };
}

export const noParent = "00000000-0000-0000-0000-000000000000";

/** A table whose rows are objects of files. */
export interface FollowedTable {
  kind: CodeKind;
  table: string;
  idColumn: string;
}

/** Migration step of each service that owns objects. A deleted row takes its key along, however it is deleted. */
export function createCodeTables(schema: string, followed: readonly FollowedTable[]) {
  return async (db: Kysely<AnyTables>): Promise<void> => {
    const objects = sql.id(schema, "code_objects");
    await sql`
      create table ${objects} (
        organization_id uuid not null,
        kind text not null,
        object_id uuid not null,
        parent_id uuid not null,
        key text not null,
        secret_names jsonb not null default '{}',
        applied_hash text,
        applied_value json,
        repository text,
        commit text,
        applied_at timestamptz,
        primary key (organization_id, kind, object_id)
      )`.execute(db);
    await sql`create unique index code_objects_key on ${objects} (organization_id, kind, parent_id, key)`.execute(db);
    await sql`
      create table ${sql.id(schema, "code_steps")} (
        organization_id uuid not null,
        operation_id uuid not null,
        step text not null check (step in ('changes', 'deletions')),
        is_undone boolean not null,
        created json,
        images json,
        created_at timestamptz not null,
        primary key (organization_id, operation_id, step)
      )`.execute(db);
    for (const { kind, table, idColumn } of followed) {
      const forget = sql.id(schema, `forget_code_of_${table}`);
      await sql`
        create function ${forget}() returns trigger language plpgsql as ${sql.lit(`
          begin
            delete from ${schema}.code_objects code using gone
            where code.organization_id = gone.organization_id and code.kind = '${kind}' and code.object_id = gone.${idColumn};
            return null;
          end`)}`.execute(db);
      await sql`
        create trigger ${sql.id(`forget_code_of_${table}`)} after delete on ${sql.id(schema, table)}
        referencing old table as gone for each statement execute function ${forget}()`.execute(db);
    }
  };
}
