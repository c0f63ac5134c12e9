import { createHash } from "node:crypto";
import type { Executor } from "../../kit/database/database.ts";
import type { OperationRow } from "../domain/imported-document.ts";
import type { ImportBatch } from "../jobs/import-messages.ts";
import { storableText } from "./storable-text.ts";
import type { ApiRegistryTables } from "./tables.ts";

type Db = Executor<ApiRegistryTables>;

/** Where an operation is found: by hash, since a path may be longer than an index entry. */
export function lookupKey(kind: OperationRow["kind"], method: string, path: string): string {
  return createHash("sha256")
    .update(JSON.stringify([kind, method, path]))
    .digest("base64url")
    .slice(0, 22);
}

/** Writes batches of one document; positions of chunks and problems go on from batch to batch. */
export class ImportWriter {
  #chunks = 0;
  #problems = 0;

  constructor(
    private readonly db: Db,
    private readonly documentId: string,
  ) {}

  async write({ chunks, operations, components, reaches, problems }: ImportBatch): Promise<void> {
    const document_id = this.documentId;
    if (chunks.length > 0) {
      const rows = chunks.map((chunk) => ({ document_id, position: this.#chunks++, deflated: Buffer.from(chunk) }));
      await this.db.insertInto("document_chunks").values(rows).execute();
    }
    if (operations.length > 0) await this.#writeOperations(operations);
    if (components.length > 0) {
      const rows = components.map(({ ordinal, reference, body }) => ({
        document_id,
        ordinal,
        reference: storableText(reference, 100_000),
        body,
      }));
      await this.db.insertInto("components").values(rows).execute();
    }
    if (reaches.length > 0) {
      const rows = reaches.map(({ number, ordinals }) => ({ document_id, number, ordinals }));
      await this.db.insertInto("reaches").values(rows).execute();
    }
    if (problems.length > 0) {
      const rows = problems.map(({ severity, message, pointer, file, line, column }) => ({
        document_id,
        position: this.#problems++,
        severity,
        message: storableText(message),
        pointer: storableText(pointer),
        file: file === undefined ? null : storableText(file),
        line,
        column_number: column,
      }));
      await this.db.insertInto("document_problems").values(rows).execute();
    }
  }

  async #writeOperations(rows: OperationRow[]): Promise<void> {
    const document_id = this.documentId;
    await this.db
      .insertInto("operations")
      .values(
        rows.map((row) => ({
          document_id,
          position: row.position,
          kind: row.kind,
          lookup_key: lookupKey(row.kind, row.method, row.path),
          operation_id: row.operationId === null ? null : storableText(row.operationId, 500),
          path: storableText(row.path),
          method: storableText(row.method),
          summary: storableText(row.summary, 500),
          tags: row.tags.slice(0, 50).map((tag) => storableText(tag, 200)),
          deprecated: row.deprecated,
          response_statuses: row.responseStatuses.map((status) => storableText(status, 40)),
          search_text: storableText(`${row.path}\n${row.operationId ?? ""}\n${row.summary}`.toLowerCase(), 4_000),
        })),
      )
      .execute();
    const tagged = rows.flatMap(({ kind, position, tags }) =>
      kind === "operation" ? tagsOf(tags).map((tag) => ({ document_id, position, tag })) : [],
    );
    if (tagged.length > 0) await this.db.insertInto("operation_tags").values(tagged).execute();
    await this.db
      .insertInto("operation_details")
      .values(
        rows.map(({ position, described, securitySchemes, reach }) => ({
          document_id,
          position,
          described,
          security_schemes: securitySchemes,
          reach_number: reach,
        })),
      )
      .execute();
  }
}

/** The tags an operation is listed under; the empty one when it has none. */
function tagsOf(tags: readonly string[]): string[] {
  const distinct = new Set(tags.slice(0, 50).map((tag) => storableText(tag, 200)));
  return distinct.size === 0 ? [""] : [...distinct];
}
