import { type Selectable, sql } from "kysely";
import type { PartChanges } from "#contracts/code/parts.ts";
import type { CodeApplication } from "#contracts/test-registry/code.ts";
import { json } from "../../kit/database/database.ts";
import { schemaName, type TestDatabase, type TestTables, type TestTransaction } from "./tables.ts";

/** The services that own objects, in the order in which their objects refer to each other. */
export const partNames = ["api-registry", "test-registry", "test-analyzer"] as const;
export type PartName = (typeof partNames)[number];

export type Counts = CodeApplication["counts"];

/** What an application sends to each part, except for what is the same for all of them. */
export interface CodeWork {
  parts: Record<
    PartName,
    { changes: PartChanges["changes"]; kept: PartChanges["kept"]; deletions: PartChanges["changes"] }
  >;
  references: PartChanges["references"];
  documents: PartChanges["documents"];
  environments: PartChanges["environments"];
}

type StoredRow = Selectable<TestTables["code_operations"]>;
export type ApplicationRow = Omit<StoredRow, "counts" | "done" | "problem" | "work"> & {
  counts: Counts;
  done: Counts;
  problem: CodeApplication["problem"];
  work: CodeWork | null;
};

const read = (row: StoredRow | undefined) => row as ApplicationRow | undefined;

/** @throws the database's unique violation while another application of the organization is under way */
export async function insertApplication(transaction: TestTransaction, row: ApplicationRow): Promise<void> {
  const { counts, done, problem, work, ...columns } = row;
  await transaction
    .insertInto("code_operations")
    .values({
      ...columns,
      ...{ counts: json(counts), done: json(done), problem: problem && json(problem) },
      work: work && sql`cast(${JSON.stringify(work)} as json)`,
    })
    .execute();
}

/** Without its work. */
export async function findApplication(
  db: TestDatabase,
  { organizationId, applicationId }: { organizationId: string; applicationId: string },
): Promise<ApplicationRow | undefined> {
  const row = await db
    .selectFrom("code_operations")
    .select(["id", "organization_id", "state", "steps_done", "tries", "counts", "done", "problem"])
    .select(["repository", "commit", "started_by", "started_at", "ended_at", "claimed_until"])
    .where("organization_id", "=", organizationId)
    .where("id", "=", applicationId)
    .executeTakeFirst();
  return read(row && { ...row, work: null, sealed_secrets: null });
}

/** Whether an application of the organization is under way. */
export async function isOperating(db: TestDatabase, organizationId: string): Promise<boolean> {
  const applications = db.selectFrom("code_operations").where("organization_id", "=", organizationId);
  return (await applications.where("ended_at", "is", null).select("id").executeTakeFirst()) !== undefined;
}

/** Claims an application that no process works on; with its work. */
export async function claimApplication(
  db: TestDatabase,
  { now, until }: { now: Date; until: Date },
): Promise<ApplicationRow | undefined> {
  const { rows } = await sql<StoredRow>`
    update ${sql.id(schemaName, "code_operations")} set claimed_until = ${until}::timestamptz
    where id = (
      select id from ${sql.id(schemaName, "code_operations")}
      where ended_at is null and (claimed_until is null or claimed_until <= ${now}::timestamptz)
      order by started_at limit 1 for update skip locked
    ) returning *`.execute(db);
  return read(rows[0]);
}

/** Stores progress; the claim lasts until then. An ended one gives up its work and secrets. */
export async function updateApplication(
  db: TestDatabase,
  id: string,
  change: Partial<Pick<ApplicationRow, "state" | "steps_done" | "tries" | "done" | "problem" | "ended_at">> & {
    claimed_until: Date | null;
  },
): Promise<void> {
  const { done, problem, ...columns } = change;
  await db
    .updateTable("code_operations")
    .set({
      ...columns,
      ...(done ? { done: json(done) } : {}),
      ...(problem ? { problem: json(problem) } : {}),
      ...(change.ended_at ? { work: null, sealed_secrets: null } : {}),
    })
    .where("id", "=", id)
    .execute();
}

/** Deletes applications that ended before. */
export async function removeEndedApplications(db: TestDatabase, before: Date): Promise<void> {
  await db.deleteFrom("code_operations").where("ended_at", "<", before).execute();
}
