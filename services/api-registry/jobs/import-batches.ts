import { deflateRawSync } from "node:zlib";
import type { ImportedDocument } from "../domain/imported-document.ts";
import type { ImportBatch } from "./import-messages.ts";

/** Copying this much to another thread takes about a millisecond. */
const batchCharacters = 256 * 1024;
const batchRows = 200;
const chunkBytes = 256 * 1024;

function emptyBatch(): ImportBatch {
  return { operations: [], components: [], reaches: [], problems: [], chunks: [] };
}

/** Cuts an imported document into parts small enough to be passed on and inserted one by one. */
export function* batchesOf(imported: ImportedDocument): Generator<ImportBatch> {
  for (let start = 0; start < imported.bytes.length; start += chunkBytes) {
    // Compressed a tenth is left, and the database is the slowest part of an import.
    yield {
      ...emptyBatch(),
      chunks: [deflateRawSync(imported.bytes.subarray(start, start + chunkBytes), { level: 1 })],
    };
  }
  const { operations, components, reaches, problems } = imported;
  for (const rows of cut(operations, (row) => row.described.length + row.securitySchemes.length)) {
    yield { ...emptyBatch(), operations: rows };
  }
  for (const rows of cut(components, (row) => row.body.length)) yield { ...emptyBatch(), components: rows };
  for (const rows of cut(reaches, (row) => row.ordinals.length * 8)) yield { ...emptyBatch(), reaches: rows };
  for (const rows of cut(problems, (row) => row.message.length)) yield { ...emptyBatch(), problems: rows };
}

function* cut<Row>(rows: Row[], sizeOf: (row: Row) => number): Generator<Row[]> {
  let batch: Row[] = [];
  let size = 0;
  for (const row of rows) {
    batch.push(row);
    size += sizeOf(row);
    if (size >= batchCharacters || batch.length >= batchRows) {
      yield batch;
      batch = [];
      size = 0;
    }
  }
  if (batch.length > 0) yield batch;
}
