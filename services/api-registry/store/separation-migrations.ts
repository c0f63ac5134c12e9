import type { Kysely } from "kysely";
import type { AnyTables } from "../../kit/database/database.ts";
import { isOfParent, keepApart } from "../../kit/database/row-security.ts";
import { schemaName } from "./tables.ts";

const ofDocuments = [
  ...["document_chunks", "operations", "operation_tags", "operation_details", "components", "reaches"],
  "document_problems",
];

/** Contents have no foreign key to their document, because they are written before it and removed after it. */
export async function separateContents(db: Kysely<AnyTables>): Promise<void> {
  for (const child of ofDocuments) {
    await keepApart(
      db,
      schemaName,
      child,
      isOfParent(schemaName, { child, parent: "documents" }, { document_id: "id" }),
    );
  }
}
