import type { Logger } from "pino";
import { acrossOrganizations } from "../../kit/database/organization-scope.ts";
import { insertPiece } from "../store/contents.ts";
import { readStoredDocument } from "../store/stored-document.ts";
import type { RegistryDatabase } from "../store/tables.ts";
import type { Importer } from "./importer.ts";

interface RelatingOptions {
  db: RegistryDatabase;
  importer: Importer;
  log: Logger;
}

/**
 * Finds the graphs of documents that were imported before there were any, one after the other, from what is stored of
 * them. Two processes may find the same one; only one stores it.
 */
export function startRelating({ db, importer, log }: RelatingOptions): { stop(): Promise<void> } {
  let stopping = false;

  async function relateNext(after: string | undefined): Promise<string | undefined> {
    const document = await db
      .selectFrom("documents")
      .innerJoin("apis", "apis.current_document_id", "documents.id")
      .select("documents.id")
      .where("related", "=", false)
      .$if(after !== undefined, (select) => select.where("documents.id", ">", after!))
      .orderBy("documents.id")
      .limit(1)
      .executeTakeFirst();
    if (!document) return undefined;
    const pieces = await importer.relate(readStoredDocument(db, document.id));
    await db.transaction().execute(async (transaction) => {
      const { numUpdatedRows } = await transaction
        .updateTable("documents")
        .set({ related: true })
        .where("id", "=", document.id)
        .where("related", "=", false)
        .executeTakeFirst();
      if (numUpdatedRows === 0n) return;
      for (const piece of pieces) await insertPiece(transaction, document.id, piece);
    });
    return document.id;
  }

  async function relateAll(): Promise<void> {
    for (let after: string | undefined; !stopping; ) {
      after = await relateNext(after);
      if (after === undefined) return;
    }
  }

  const relating = acrossOrganizations(relateAll).catch((error) =>
    log.error({ err: error }, "finding the dependencies of stored documents failed"),
  );
  return {
    async stop() {
      stopping = true;
      await relating;
    },
  };
}
