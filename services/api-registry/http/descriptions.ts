import type { Api } from "#contracts/api-registry/apis.ts";
import type { ApiDescription } from "#contracts/api-registry/descriptions.ts";
import type { OperationGroup } from "#contracts/api-registry/operation-groups.ts";
import { notFound } from "#contracts/kit/problem.ts";
import { Cache } from "#libraries/cache/cache.ts";
import type { ApiRow } from "../store/apis.ts";
import { findDocument, readMetadata } from "../store/documents.ts";
import { countOperationTags, countPathGroups, listWebhooks } from "../store/operations.ts";
import type { DocumentRow, RegistryDatabase } from "../store/tables.ts";
import { type RegistryContext, type RegistryHandlers, requireApi } from "./context.ts";

type DescriptionHandlers = Pick<RegistryHandlers, "describeApi" | "listOperationTags" | "listOperationGroups">;

const maxGroups = 500;

export function createDescriptionHandlers(context: RegistryContext): DescriptionHandlers {
  const { db } = context;
  // A document never changes, and every page of the reference requests its groups.
  const groups = new Cache<OperationGroups>({ maxSize: 20_000 });
  return {
    async describeApi({ caller, params }) {
      const { document } = await requireCurrentDocument(context, caller.organizationId, params.apiId);
      return await describe(db, document);
    },

    async listOperationTags({ caller, params }) {
      const { document } = await requireCurrentDocument(context, caller.organizationId, params.apiId);
      return { items: await listOperationTags(db, document), nextCursor: null };
    },

    async listOperationGroups({ caller, params }) {
      const { current_document_id: documentId } = await requireApi(context, caller.organizationId, params.apiId);
      const known = groups.get(documentId);
      if (known) return known;
      const { document } = await requireCurrentDocument(context, caller.organizationId, params.apiId);
      const listed = await listOperationGroups(db, document);
      groups.set(document.id, listed, listed.items.length + 1);
      return listed;
    },
  };
}

/** @throws Problem not_found, also for another organization's API */
export async function requireCurrentDocument(
  context: RegistryContext,
  organizationId: string,
  apiId: string,
): Promise<{ api: ApiRow; document: DocumentRow }> {
  const api = await requireApi(context, organizationId, apiId);
  const document = await findDocument(context.db, organizationId, api.current_document_id);
  if (!document) throw notFound("API");
  return { api, document };
}

export async function describe(db: RegistryDatabase, document: DocumentRow): Promise<ApiDescription> {
  const { tags: _, securityRequirements: __, ...metadata } = readMetadata(document);
  const webhooks = document.webhook_count > 0 ? await listWebhooks(db, document.id) : [];
  return { ...metadata, description: document.description, webhooks };
}

export async function listOperationTags(
  db: RegistryDatabase,
  document: DocumentRow,
  limit?: number,
): Promise<Api["operationTags"]> {
  return orderTags(readMetadata(document).tags, await countOperationTags(db, document.id, limit));
}

interface OperationGroups {
  items: OperationGroup[];
  total: number;
}

async function listOperationGroups(db: RegistryDatabase, document: DocumentRow): Promise<OperationGroups> {
  const [tags, prefixes] = await Promise.all([
    listOperationTags(db, document, document.operation_count),
    countPathGroups(db, document.id),
  ]);
  const all: OperationGroup[] = [
    ...tags.map(({ name, operationCount }) => ({ kind: "tag" as const, name, operationCount })),
    ...prefixes.map((group) => ({ kind: "prefix" as const, ...group })),
  ];
  return { items: all.slice(0, maxGroups), total: all.length };
}

/** Tags declared in the document in their order with their descriptions, then others in order of first use. */
function orderTags(
  declared: { name: string; description?: string }[],
  used: { name: string; operationCount: number }[],
): { name: string; description?: string; operationCount: number }[] {
  const counts = new Map(used.map(({ name, operationCount }) => [name, operationCount]));
  const known = declared.filter(({ name }) => counts.has(name));
  const names = new Set(known.map(({ name }) => name));
  return [
    ...known.map((tag) => ({ ...tag, operationCount: counts.get(tag.name)! })),
    ...used.filter(({ name }) => !names.has(name)),
  ];
}
