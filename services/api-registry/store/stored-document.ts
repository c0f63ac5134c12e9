import type { Executor } from "../../kit/database/database.ts";
import type { PreviousPart } from "../jobs/import-messages.ts";
import { readMetadata } from "./documents.ts";
import type { ApiRegistryTables } from "./tables.ts";

type Db = Executor<ApiRegistryTables>;

const rowsAtOnce = 100;

/** A stored document in parts small enough to pass to another thread without a noticeable delay. */
export async function* readStoredDocument(db: Db, documentId: string): AsyncGenerator<PreviousPart> {
  const document = await db.selectFrom("documents").select("metadata").where("id", "=", documentId).executeTakeFirst();
  if (document) {
    const { servers, securitySchemes } = readMetadata(document);
    yield { operations: [], components: [], servers, securitySchemes };
  }
  for (let after = -1; ; ) {
    const operations = await db
      .selectFrom("operations")
      .innerJoin("operation_details", (join) =>
        join
          .onRef("operation_details.document_id", "=", "operations.document_id")
          .onRef("operation_details.position", "=", "operations.position"),
      )
      .innerJoin("reaches", (join) =>
        join
          .onRef("reaches.document_id", "=", "operations.document_id")
          .onRef("reaches.number", "=", "operation_details.reach_number"),
      )
      .select(["operations.position", "kind", "method", "path", "described", "ordinals"])
      .where("operations.document_id", "=", documentId)
      .where("operations.position", ">", after)
      .orderBy("operations.position")
      .limit(rowsAtOnce)
      .execute();
    if (operations.length === 0) break;
    after = operations.at(-1)!.position;
    yield { operations, components: [] };
  }
  for (let after = -1; ; ) {
    const components = await db
      .selectFrom("components")
      .select(["ordinal", "reference", "body"])
      .where("document_id", "=", documentId)
      .where("ordinal", ">", after)
      .orderBy("ordinal")
      .limit(rowsAtOnce * 5)
      .execute();
    if (components.length === 0) break;
    after = components.at(-1)!.ordinal;
    yield { operations: [], components };
  }
}
