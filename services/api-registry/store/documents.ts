import { promisify } from "node:util";
import { inflateRaw } from "node:zlib";
import { z } from "@hono/zod-openapi";
import { api } from "#contracts/api-registry/apis.ts";
import { securityRequirement } from "#contracts/api-registry/authentication.ts";
import { type DocumentProblem, type DocumentVersion, problemLocation } from "#contracts/api-registry/documents.ts";
import type { Database, Executor } from "../../kit/database/database.ts";
import { pageFrom } from "../../kit/database/keyset.ts";
import type { DocumentMetadata } from "../domain/imported-document.ts";
import type { ImportSummary } from "../jobs/import-messages.ts";
import { endContentLease } from "./contents.ts";
import { storableText } from "./storable-text.ts";
import type { ApiRegistryTables, DocumentRow } from "./tables.ts";

const inflate = promisify(inflateRaw);

type Db = Executor<ApiRegistryTables>;

export interface NewDocument {
  id: string;
  apiId: string;
  organizationId: string;
  importedAt: Date;
}

/** Creates the row that makes a document with stored content visible. */
export async function insertDocument(db: Db, document: NewDocument, summary: ImportSummary): Promise<void> {
  const { inspection, metadata, sha256, sourceUrl, fileName } = summary;
  if (!(await endContentLease(db, document.id))) throw new Error("The import was given up.");
  await db
    .insertInto("documents")
    .values({
      id: document.id,
      api_id: document.apiId,
      organization_id: document.organizationId,
      title: storableText(inspection.title, 500),
      version: storableText(inspection.version, 200),
      description: storableText(inspection.description, 200_000),
      specification_version: inspection.specificationVersion!,
      format: inspection.format,
      source_url: sourceUrl,
      file_name: fileName === null ? null : storableText(fileName, 500),
      bytes: inspection.bytes,
      sha256,
      operation_count: inspection.operationCount,
      webhook_count: inspection.webhookCount,
      problem_count: inspection.problemCount,
      metadata: JSON.stringify(metadata),
      imported_at: document.importedAt,
      related: true,
    })
    .execute();
}

export async function findDocument(
  db: Db,
  organizationId: string,
  documentId: string,
): Promise<DocumentRow | undefined> {
  return await db
    .selectFrom("documents")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("id", "=", documentId)
    .executeTakeFirst();
}

/** Fields added by later versions are optional, so that documents stored before them remain readable. */
const metadata: z.ZodType<DocumentMetadata> = api
  .pick({
    ownServers: true,
    servers: true,
    securitySchemes: true,
    termsOfService: true,
    contact: true,
    license: true,
    externalDocs: true,
  })
  .extend({
    tags: z.array(z.object({ name: z.string(), description: z.string().optional() })),
    securityRequirements: z.array(securityRequirement).optional(),
  });

export function readMetadata(document: Pick<DocumentRow, "metadata">): DocumentMetadata {
  return metadata.parse(JSON.parse(document.metadata));
}

export function toDocumentVersion(row: DocumentRow, currentDocumentId: string): DocumentVersion {
  return {
    id: row.id,
    apiId: row.api_id,
    version: row.version,
    specificationVersion: row.specification_version,
    format: row.format,
    sourceUrl: row.source_url,
    fileName: row.file_name,
    bytes: row.bytes,
    sha256: row.sha256,
    operationCount: row.operation_count,
    problemCount: row.problem_count,
    importedAt: row.imported_at.toISOString(),
    current: row.id === currentDocumentId,
  };
}

/** Versions of one API's document, newest first. */
export async function listDocuments(
  db: Db,
  api: { id: string; current_document_id: string },
  limit: number,
  after: string | undefined,
): Promise<{ items: DocumentVersion[]; nextCursor: string | null }> {
  const rows = await db
    .selectFrom("documents")
    .selectAll()
    .where("api_id", "=", api.id)
    .$if(after !== undefined, (query) => query.where("id", "<", after!))
    .orderBy("id", "desc")
    .limit(limit + 1)
    .execute();
  return pageFrom(
    rows,
    limit,
    (row) => [row.id],
    (row) => toDocumentVersion(row, api.current_document_id),
  );
}

export async function listDocumentProblems(
  db: Db,
  documentId: string,
  limit: number,
  after = -1,
): Promise<{ items: DocumentProblem[]; nextCursor: string | null }> {
  const rows = await db
    .selectFrom("document_problems")
    .selectAll()
    .where("document_id", "=", documentId)
    .where("position", ">", after)
    .orderBy("position")
    .limit(limit + 1)
    .execute();
  return pageFrom(
    rows,
    limit,
    (row) => [row.position],
    ({ severity, message, pointer, file, line, column_number, place_count, other_places }) => ({
      severity,
      message,
      pointer,
      ...(file === null ? {} : { file }),
      line,
      column: column_number,
      count: place_count,
      ...(other_places === null ? {} : { otherPlaces: problemLocation.array().parse(JSON.parse(other_places)) }),
    }),
  );
}

/** The original bytes, read chunk by chunk while they are sent. */
export function streamDocument(database: Database, schema: string, documentId: string): ReadableStream<Uint8Array> {
  const db = database.inSchema<ApiRegistryTables>(schema);
  let position = 0;
  return new ReadableStream({
    async pull(controller) {
      const row = await db
        .selectFrom("document_chunks")
        .select("deflated")
        .where("document_id", "=", documentId)
        .where("position", "=", position++)
        .executeTakeFirst();
      if (row) controller.enqueue(new Uint8Array(await inflate(row.deflated)));
      else controller.close();
    },
  });
}
