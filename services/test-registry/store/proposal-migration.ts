import { type Kysely, sql } from "kysely";
import type { AnyTables } from "../../kit/database/database.ts";
import { schemaName } from "./tables.ts";

/** Drafts of tests. `json`, as for tests: the order of members and NUL characters are preserved. */
export async function createProposals(db: Kysely<AnyTables>): Promise<void> {
  const proposals = sql.id(schemaName, "test_proposals");
  await sql`
    create table ${proposals} (
      id uuid primary key,
      organization_id uuid not null,
      api_id uuid not null,
      test_id uuid,
      test_version integer,
      test json not null,
      definition_version integer not null,
      reason text not null,
      findings jsonb not null,
      state text not null check (state in ('open', 'accepted', 'rejected')),
      proposed_by jsonb not null,
      created_at timestamptz not null,
      decided_by text,
      decided_at timestamptz,
      accepted_test_id uuid
    )`.execute(db);
  await sql`create index test_proposals_list on ${proposals} (organization_id, api_id, state, id)`.execute(db);
}
