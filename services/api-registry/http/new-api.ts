import type { ImportSummary } from "../jobs/import-messages.ts";
import { deleteApi, insertApi } from "../store/apis.ts";
import { insertDocument } from "../store/documents.ts";
import type { RegistryTransaction } from "../store/tables.ts";
import { type RegistryContext, toApiEvent } from "./context.ts";

export interface NewApi {
  apiId: string;
  organizationId: string;
  /** Whose content is stored already. */
  documentId: string;
  name: string;
  baseUrl: string | null;
  tags: string[];
}

/** Inserts an API with its document, counts it to the organization's plan and reports it. */
export async function insertNewApi(
  { clock, plans, publisher }: RegistryContext,
  transaction: RegistryTransaction,
  { apiId, organizationId, documentId, name, baseUrl, tags }: NewApi,
  summary: ImportSummary,
): Promise<void> {
  const importedAt = clock.now();
  await insertApi(transaction, {
    ...{ id: apiId, organization_id: organizationId, name, base_url: baseUrl, tags },
    ...{ current_document_id: documentId, created_at: importedAt, updated_at: importedAt },
  });
  await insertDocument(transaction, { id: documentId, apiId, organizationId, importedAt }, summary);
  await plans.add(transaction, organizationId);
  await publisher.publish(transaction, [toApiEvent("api.registered", organizationId, { apiId, name })]);
}

/** Deletes an API. @returns whether it existed */
export async function deleteReportedApi(
  { plans, publisher }: RegistryContext,
  transaction: RegistryTransaction,
  { apiId, organizationId }: { apiId: string; organizationId: string },
): Promise<boolean> {
  if (!(await deleteApi(transaction, organizationId, apiId))) return false;
  await plans.remove(transaction, organizationId);
  await publisher.publish(transaction, [toApiEvent("api.deleted", organizationId, { apiId })]);
  return true;
}
