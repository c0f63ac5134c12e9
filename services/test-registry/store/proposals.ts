import { type Selectable, type SqlBool, sql } from "kysely";
import { proposalFindings, testProposal } from "#contracts/test-registry/test-proposals.ts";
import { json } from "../../kit/database/database.ts";
import { readIdCursor } from "../../kit/database/keyset.ts";
import { definitionVersion } from "./definitions.ts";
import type { TestDatabase, TestTables, TestTransaction } from "./tables.ts";

type StoredProposal = Selectable<TestTables["test_proposals"]>;
const { test, proposedBy } = testProposal.shape;
export type ProposalRow = ReturnType<typeof readProposal>;
type State = StoredProposal["state"];
interface Owned {
  organizationId: string;
  proposalId: string;
}

function readProposal({ definition_version, ...row }: StoredProposal) {
  if (definition_version !== definitionVersion)
    throw new Error(`a proposed test is stored in form ${definition_version}`);
  return {
    ...row,
    test: test.parse(row.test),
    findings: proposalFindings.parse(row.findings),
    proposed_by: proposedBy.parse(row.proposed_by),
  };
}

export async function insertProposal(db: TestDatabase, row: ProposalRow): Promise<void> {
  const written = {
    test: sql<unknown>`cast(${JSON.stringify(row.test)} as json)`,
    findings: json(row.findings),
    proposed_by: json(row.proposed_by),
    definition_version: definitionVersion,
  };
  await db
    .insertInto("test_proposals")
    .values({ ...row, ...written })
    .execute();
}

export async function findProposal(
  db: TestDatabase,
  { organizationId, proposalId }: Owned,
): Promise<ProposalRow | undefined> {
  const row = await db
    .selectFrom("test_proposals")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("id", "=", proposalId)
    .executeTakeFirst();
  return row && readProposal(row);
}

interface OfApi {
  organizationId: string;
  apiId: string;
  state: State;
}

const ofApi = (db: TestDatabase, { organizationId, apiId, state }: OfApi) =>
  db
    .selectFrom("test_proposals")
    .where("organization_id", "=", organizationId)
    .where("api_id", "=", apiId)
    .where("state", "=", state);

/** Newest first; one row more than the page. */
export async function listProposals(
  db: TestDatabase,
  filter: OfApi,
  { limit, cursor }: { limit: number; cursor?: string },
): Promise<ProposalRow[]> {
  let proposals = ofApi(db, filter).selectAll();
  if (cursor !== undefined) proposals = proposals.where("id", "<", readIdCursor(cursor));
  const rows = await proposals
    .orderBy("id", "desc")
    .limit(limit + 1)
    .execute();
  return rows.map(readProposal);
}

export async function countProposals(db: TestDatabase, filter: OfApi): Promise<number> {
  const counted = await ofApi(db, filter)
    .select((of) => of.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  return Number(counted.total);
}

/** Another transaction that proposes a test of the same API waits for the end of this one. */
export async function lockProposals(transaction: TestTransaction, apiId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${apiId}, 7208))`.execute(transaction);
}

/** The decided row; undefined when it is absent or was decided before. */
export async function decideProposal(
  transaction: TestTransaction,
  { organizationId, proposalId }: Owned,
  decision: Required<Pick<StoredProposal, "state" | "decided_by" | "decided_at" | "accepted_test_id">>,
): Promise<ProposalRow | undefined> {
  const row = await transaction
    .updateTable("test_proposals")
    .set(decision)
    .where("organization_id", "=", organizationId)
    .where("id", "=", proposalId)
    .where("state", "=", "open")
    .returningAll()
    .executeTakeFirst();
  return row && readProposal(row);
}

/** Of a deleted API, or for deleted tests. */
export async function removeProposals(
  transaction: TestTransaction,
  organizationId: string,
  { apiId, testIds }: { apiId?: string; testIds: string[] },
): Promise<void> {
  await transaction
    .deleteFrom("test_proposals")
    .where("organization_id", "=", organizationId)
    .where((is) =>
      is.or([
        sql<SqlBool>`test_id = any(${testIds}::uuid[])`,
        ...(apiId === undefined ? [] : [is("api_id", "=", apiId)]),
      ]),
    )
    .execute();
}

/** Those of an API that were decided before. */
export async function removeDecided(transaction: TestTransaction, organizationId: string, before: Date): Promise<void> {
  await transaction
    .deleteFrom("test_proposals")
    .where("organization_id", "=", organizationId)
    .where("decided_at", "<", before)
    .execute();
}
