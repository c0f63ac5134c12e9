import { type Selectable, sql } from "kysely";
import type { Executor } from "../../kit/database/database.ts";
import type { ApiRegistryTables, ApiTable, DocumentRow } from "./tables.ts";

type Db = Executor<ApiRegistryTables>;
export type StoredApi = Selectable<ApiTable>;

/** The current documents of APIs, by the API's id. */
export async function findCurrentDocuments(
  db: Db,
  organizationId: string,
  apiIds: string[],
): Promise<Map<string, Pick<DocumentRow, "id" | "sha256" | "format">>> {
  const rows = await db
    .selectFrom("apis")
    .innerJoin("documents", "documents.id", "apis.current_document_id")
    .select(["apis.id as apiId", "documents.id", "documents.sha256", "documents.format"])
    .where("apis.organization_id", "=", organizationId)
    .where("apis.id", "=", sql<string>`any(${apiIds}::uuid[])`)
    .execute();
  return new Map(rows.map(({ apiId, ...document }) => [apiId, document]));
}

/** Settings that files have, and that have calls of their own in the portal. */
export async function storeSettings(
  db: Db,
  { organizationId, apiId }: { organizationId: string; apiId: string },
  {
    variables,
    sendsHostCredentials,
  }: { variables: Record<string, string>; sendsHostCredentials?: boolean | undefined },
): Promise<void> {
  await db
    .updateTable("apis")
    .set({ variables: JSON.stringify(variables), sends_host_credentials: sendsHostCredentials ?? null })
    .where("organization_id", "=", organizationId)
    .where("id", "=", apiId)
    .execute();
}

export async function listNames(
  db: Db,
  organizationId: string,
  apiIds: string[],
): Promise<{ id: string; name: string }[]> {
  return await db
    .selectFrom("apis")
    .select(["id", "name"])
    .where("organization_id", "=", organizationId)
    .where("id", "=", sql<string>`any(${apiIds}::uuid[])`)
    .execute();
}
