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

/** The graph of a stored document, in parts; nothing where it was not found yet. */
export async function* readStoredGraph(db: Db, documentId: string): AsyncGenerator<PreviousPart> {
  const document = await db.selectFrom("documents").select("related").where("id", "=", documentId).executeTakeFirst();
  if (!document?.related) return;
  const toPart = (graph: NonNullable<PreviousPart["graph"]>) => ({ operations: [], components: [], graph });
  yield toPart({ resources: [], consumers: [] });
  for (let after = -1; ; ) {
    const rows = await db
      .selectFrom("resources")
      .select(["position", "body"])
      .where("document_id", "=", documentId)
      .where("position", ">", after)
      .orderBy("position")
      .limit(rowsAtOnce)
      .execute();
    if (rows.length === 0) break;
    after = rows.at(-1)!.position;
    yield toPart({ resources: rows.map(({ body }) => body), consumers: [] });
  }
  for (let after = -1; ; ) {
    const rows = await db
      .selectFrom("operation_consumers")
      .innerJoin("operations", (join) =>
        join
          .onRef("operations.document_id", "=", "operation_consumers.document_id")
          .onRef("operations.position", "=", "operation_consumers.position"),
      )
      .select(["operation_consumers.position", "operation_consumers.body"])
      .where("operation_consumers.document_id", "=", documentId)
      .where("operation_consumers.position", ">", after)
      .where("operations.method", "in", ["post", "put"])
      .orderBy("operation_consumers.position")
      .limit(rowsAtOnce)
      .execute();
    if (rows.length === 0) break;
    after = rows.at(-1)!.position;
    yield toPart({ resources: [], consumers: rows.map(({ body }) => body) });
  }
}
