import type { ApiEvent } from "#contracts/api-registry/events.ts";
import { notFound } from "#contracts/kit/problem.ts";
import type { RecordChange } from "../../kit/audit/audit.ts";
import { readIdCursor, readPositionCursor } from "../../kit/database/keyset.ts";
import type { PublishedEvent } from "../../kit/events/publisher.ts";
import type { ImportSession } from "../jobs/importer.ts";
import { type ApiRow, setCurrentDocument } from "../store/apis.ts";
import { hastenWatch } from "../store/document-watches.ts";
import {
  findDocument,
  insertDocument,
  listDocumentProblems,
  listDocuments,
  streamDocument,
  toDocumentVersion,
} from "../store/documents.ts";
import { followMovedPrefix } from "../store/moved-base-urls.ts";
import { findMoves } from "../store/moved-operations.ts";
import { renewSeen } from "../store/seen-dependencies.ts";
import { storableText } from "../store/storable-text.ts";
import { type DocumentRow, type RegistryTransaction, schemaName } from "../store/tables.ts";
import { type RegistryContext, type RegistryHandlers, requireApi, toApiEvent } from "./context.ts";
import { requireUsable } from "./source.ts";

type DocumentHandlers = Pick<
  RegistryHandlers,
  "inspectDocument" | "listDocuments" | "importDocument" | "getDocument" | "listDocumentProblems"
>;

interface StoringOptions {
  record: RecordChange;
  /** More that changes in the same transaction. @returns its events */
  also?: (transaction: RegistryTransaction, documentId: string) => Promise<PublishedEvent<ApiEvent>[]>;
}

/** Stores a session's document as the current version of an API. @returns its id */
export type StoreVersion = (api: ApiRow, session: ImportSession, options: StoringOptions) => Promise<string>;

export function createStoreVersion({ db, clock, contents, publisher }: RegistryContext): StoreVersion {
  return async (api, session, { record, also }) => {
    const { id: apiId, organization_id: organizationId, name, current_document_id } = api;
    const importedAt = clock.now();
    return await contents.storeContent(session, (documentId) =>
      db.transaction().execute(async (transaction) => {
        if (!(await setCurrentDocument(transaction, apiId, documentId, importedAt))) throw notFound("API");
        await insertDocument(transaction, { id: documentId, apiId, organizationId, importedAt }, session.summary);
        await renewSeen(transaction, apiId, documentId);
        const moved = await findMoves(transaction, { from: current_document_id, to: documentId });
        const base = await followMovedPrefix(transaction, apiId, moved);
        await record(transaction, {
          id: apiId,
          before: { documentId: current_document_id, ...base.before },
          after: { documentId, ...base.after },
        });
        const more = also ? await also(transaction, documentId) : [];
        if (!also) await hastenWatch(transaction, apiId, importedAt);
        const version = storableText(session.summary.inspection.version, 200);
        await publisher.publish(transaction, [
          toApiEvent("api.changed", organizationId, { apiId, name }),
          toApiEvent("document.imported", organizationId, { apiId, apiName: name, documentId, version }),
          ...moved.parts.map((moves) => toApiEvent("operations.moved", organizationId, { apiId, documentId, moves })),
          ...more,
        ]);
        return documentId;
      }),
    );
  };
}

export function createDocumentHandlers(context: RegistryContext, storeVersion: StoreVersion): DocumentHandlers {
  const { db, importer, database } = context;

  async function requireDocument(organizationId: string, apiId: string, documentId: string): Promise<DocumentRow> {
    const document = await findDocument(db, organizationId, documentId);
    if (document?.api_id !== apiId) throw notFound("document");
    return document;
  }

  return {
    async inspectDocument({ caller, request, query }) {
      const session = await importer.open(request, caller.organizationId, { keep: query.keep === "true" });
      session.release();
      return { ...session.summary.inspection, ...(session.staged ? { staged: session.staged } : {}) };
    },

    async listDocuments({ caller, params, query }) {
      const api = await requireApi(context, caller.organizationId, params.apiId);
      const after = query.cursor && readIdCursor(query.cursor);
      return await listDocuments(db, api, query.limit, after);
    },

    async importDocument({ caller, params, request, record }) {
      const { organizationId } = caller;
      const api = await requireApi(context, organizationId, params.apiId);
      const session = await importer.open(request, organizationId);
      try {
        requireUsable(session.summary);
        const id = await storeVersion(api, session, { record });
        return toDocumentVersion(await requireDocument(organizationId, api.id, id), id);
      } finally {
        session.release();
      }
    },

    async getDocument({ caller, params, request }) {
      const document = await requireDocument(caller.organizationId, params.apiId, params.documentId);
      const etag = `"${document.sha256}"`;
      const headers = { etag, "cache-control": "private, no-cache", vary: "authorization" };
      const known = request.headers.get("if-none-match") ?? "";
      if (known.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag)) {
        return new Response(null, { status: 304, headers });
      }
      return new Response(streamDocument(database, schemaName, document.id), {
        headers: {
          ...headers,
          "content-type": "application/octet-stream",
          "content-length": String(document.bytes),
          "content-disposition": `attachment; filename="openapi.${document.format}"`,
          "x-content-type-options": "nosniff",
        },
      });
    },

    async listDocumentProblems({ caller, params, query }) {
      const document = await requireDocument(caller.organizationId, params.apiId, params.documentId);
      const after = query.cursor ? readPositionCursor(query.cursor) : undefined;
      return await listDocumentProblems(db, document.id, query.limit, after);
    },
  };
}
