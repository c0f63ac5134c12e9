import { sql } from "kysely";
import type { Executor } from "../../kit/database/database.ts";
import type { ContentPiece } from "../jobs/content-pieces.ts";
import type { ContentTable } from "./content-rows.ts";
import { selectOperationWords } from "./search.ts";
import { type ApiRegistryTables, schemaName } from "./tables.ts";

type Db = Executor<ApiRegistryTables>;

/**
 * The content of a document is the rows of the other tables under its id. It is written before the document has a row
 * in `documents` and removed after that row is deleted, both in pieces: without that row the content is invisible.
 * Meanwhile `loose_contents` lists it, so that none is forgotten.
 */
const contentColumns: Record<ContentTable, Record<string, string>> = {
  operations: {
    position: "integer",
    kind: "text",
    lookup_key: "text",
    operation_id: "text",
    path: "text",
    method: "text",
    summary: "text",
    tags: "text[]",
    deprecated: "boolean",
    response_statuses: "text[]",
    search_text: "text",
  },
  operation_tags: { tag: "text", position: "integer" },
  operation_details: { position: "integer", described: "text", security_schemes: "text", reach_number: "integer" },
  components: { ordinal: "integer", reference: "text", body: "text" },
  reaches: { number: "integer", ordinals: "integer[]" },
  resources: {
    position: "integer",
    lookup_key: "text",
    body: "text",
    consumers: "text",
    consumer_count: "integer",
    search_text: "text",
  },
  operation_consumers: { position: "integer", body: "text" },
  document_problems: {
    position: "integer",
    severity: "text",
    message: "text",
    pointer: "text",
    file: "text",
    line: "integer",
    column_number: "integer",
    place_count: "integer",
    other_places: "text",
  },
};

const contentTables = [
  "document_chunks",
  "operation_words",
  ...(Object.keys(contentColumns) as ContentTable[]),
] as const;
const rowsRemovedAtOnce = 100;

export async function insertPiece(db: Db, documentId: string, piece: ContentPiece): Promise<void> {
  if ("deflated" in piece) {
    const { position, deflated } = piece;
    await db
      .insertInto("document_chunks")
      .values({ document_id: documentId, position, deflated: Buffer.from(deflated) })
      .execute();
    return;
  }
  const columns = Object.entries(contentColumns[piece.table]);
  const names = sql.join(columns.map(([name]) => sql.ref(name)));
  const typed = sql.join(columns.map(([name, type]) => sql`${sql.ref(name)} ${sql.raw(type)}`));
  await sql`
    insert into ${sql.table(`${schemaName}.${piece.table}`)} (document_id, ${names})
    select cast(${documentId} as uuid), ${names}
    from json_to_recordset(cast(${piece.rows} as json)) as arrived(${typed})`.execute(db);
}

/** Makes the operations of a piece searchable for the organization of the document. */
export async function insertOperationWords(
  db: Db,
  { documentId, organizationId }: { documentId: string; organizationId: string },
  rows: string,
): Promise<void> {
  await sql`
    insert into ${sql.table(`${schemaName}.operation_words`)} (organization_id, document_id, position, key, words)
    ${selectOperationWords(
      sql`cast(${organizationId} as uuid)`,
      sql`(select cast(${documentId} as uuid) as document_id, arrived.* from json_to_recordset(cast(${rows} as json))
        as arrived(position integer, kind text, operation_id text, path text, method text, summary text, tags text[])
      ) operation`,
    )}`.execute(db);
}

/** Registers new content, before its first piece. Until `heldUntil` no other process may remove it. */
export async function noteContent(db: Db, documentId: string, leasedUntil: Date): Promise<void> {
  await db
    .insertInto("loose_contents")
    .values({ document_id: documentId, arriving: true, held_until: leasedUntil })
    .execute();
}

/** @returns false when the content was given up in the meantime, and nothing more may be added */
export async function renewContentLease(db: Db, documentId: string, leasedUntil: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("loose_contents")
    .set({ held_until: leasedUntil })
    .where("document_id", "=", documentId)
    .where("arriving", "=", true)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Ends the lease, in the transaction that creates the document's row. @returns as `holdContent` */
export async function endContentLease(db: Db, documentId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("loose_contents")
    .where("document_id", "=", documentId)
    .where("arriving", "=", true)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Releases the content for removal. */
export async function giveContentUp(db: Db, documentId: string, now: Date): Promise<void> {
  await db
    .updateTable("loose_contents")
    .set({ arriving: false, held_until: now })
    .where("document_id", "=", documentId)
    .execute();
}

/** For a process with exclusive use of the database: all earlier lease holders are dead. */
export async function endAllLeases(db: Db, now: Date): Promise<void> {
  await db.updateTable("loose_contents").set({ arriving: false, held_until: now }).execute();
}

/** Leases one unleased content for removal until `heldUntil`. Concurrent processes get different ones. */
export async function leaseLooseContent(db: Db, now: Date, leasedUntil: Date): Promise<string | undefined> {
  const leased = await db
    .updateTable("loose_contents")
    .set({ arriving: false, held_until: leasedUntil })
    .where("document_id", "=", (select) =>
      select
        .selectFrom("loose_contents")
        .select("document_id")
        .where("held_until", "<=", now)
        .orderBy("held_until")
        .limit(1)
        .forUpdate()
        .skipLocked(),
    )
    .returning("document_id")
    .executeTakeFirst();
  return leased?.document_id;
}

/** Removes some rows of a loose content. @returns false when none are left and it is unlisted */
export async function removePiece(db: Db, documentId: string): Promise<boolean> {
  for (const name of contentTables) {
    const table = sql.table(`${schemaName}.${name}`);
    const { numAffectedRows } = await sql`
      delete from ${table} where ctid = any(array(
        select ctid from ${table} where document_id = ${documentId} limit ${sql.lit(rowsRemovedAtOnce)}
      ))`.execute(db);
    if (numAffectedRows) return true;
  }
  await db.deleteFrom("loose_contents").where("document_id", "=", documentId).execute();
  return false;
}
