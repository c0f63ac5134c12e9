import { deflateRawSync } from "node:zlib";
import type { ImportedDocument } from "../domain/imported-document.ts";
import {
  type ContentTable,
  componentRow,
  dependencySetRow,
  operationConsumersRow,
  operationDetailRow,
  operationRow,
  operationTagRows,
  problemRow,
  resourceRow,
} from "../store/content-rows.ts";

/**
 * A part of a document's content, stored in a single statement. Rows are JSON text, because the thread that serves
 * pages would spend more time on binding their values than the database on storing them.
 */
export type ContentPiece =
  | { table: "document_chunks"; position: number; deflated: Uint8Array }
  | { table: ContentTable; rows: string };

/** The embedded database stores this much in about 10 ms, while everything else waits. */
const pieceCharacters = 64 * 1024;
const pieceRows = 100;
const chunkBytes = 256 * 1024;

/** Cuts an imported document into pieces that are stored one by one; generated on demand. */
export function* contentPieces(imported: ImportedDocument): Generator<ContentPiece> {
  for (let start = 0, position = 0; start < imported.bytes.length; start += chunkBytes, position++) {
    // Compression leaves a tenth, and the database is the slowest part of an import.
    const deflated = deflateRawSync(imported.bytes.subarray(start, start + chunkBytes), { level: 1 });
    yield { table: "document_chunks", position, deflated };
  }
  const { operations, components, dependencySets, problems } = imported;
  yield* toRows("operations", operations, operationRow);
  yield* toRows("operation_tags", operations.flatMap(operationTagRows), (row) => row);
  yield* toRows("operation_details", operations, operationDetailRow);
  yield* toRows("components", components, componentRow);
  yield* toRows("reaches", dependencySets, dependencySetRow);
  yield* toRows("document_problems", problems, problemRow);
  yield* relationPieces(imported);
}

/** The graph of its operations. */
export function* relationPieces({
  resources,
  consumers,
}: Pick<ImportedDocument, "resources" | "consumers">): Generator<ContentPiece> {
  yield* toRows("resources", resources, resourceRow);
  yield* toRows("operation_consumers", consumers, operationConsumersRow);
}

function* toRows<Item>(
  table: ContentTable,
  items: readonly Item[],
  toRow: (item: Item, index: number) => object,
): Generator<ContentPiece> {
  let rows: string[] = [];
  let characters = 0;
  for (const [index, item] of items.entries()) {
    const row = JSON.stringify(toRow(item, index));
    if (rows.length > 0 && (characters + row.length > pieceCharacters || rows.length >= pieceRows)) {
      yield { table, rows: `[${rows.join()}]` };
      rows = [];
      characters = 0;
    }
    rows.push(row);
    characters += row.length;
  }
  if (rows.length > 0) yield { table, rows: `[${rows.join()}]` };
}
