import type { Executor } from "../../kit/database/database.ts";
import { moveBaseUrls, withMovedBaseUrls } from "../domain/moved-base-urls.ts";
import { findBaseUrl, setBaseUrl } from "./apis.ts";
import { listEnvironments, replaceEnvironments } from "./environments.ts";
import type { MovedOperations } from "./moved-operations.ts";
import type { ApiRegistryTables } from "./tables.ts";

/** Base URLs as they are audited; absent where none changed. */
interface AuditedBaseUrls {
  baseUrls?: { environment: string | null; baseUrl: string }[];
}

/** The API's own base URL and those of its environments follow a part of the address that moved. */
export async function followMovedPrefix(
  transaction: Executor<ApiRegistryTables>,
  apiId: string,
  { movedPrefix }: Pick<MovedOperations, "movedPrefix">,
): Promise<{ before: AuditedBaseUrls; after: AuditedBaseUrls }> {
  if (!movedPrefix) return { before: {}, after: {} };
  const environments = await listEnvironments(transaction, apiId);
  const baseUrl = await findBaseUrl(transaction, apiId);
  const changes = moveBaseUrls(movedPrefix, { baseUrl, environments }).filter(({ before, after }) => before !== after);
  if (changes.length === 0) return { before: {}, after: {} };
  const own = changes.find(({ environment }) => environment === null);
  if (own) await setBaseUrl(transaction, apiId, own.after);
  if (changes.some(({ environment }) => environment !== null)) {
    await replaceEnvironments(transaction, apiId, withMovedBaseUrls(environments, changes));
  }
  return {
    before: { baseUrls: changes.map(({ environment, before }) => ({ environment, baseUrl: before })) },
    after: { baseUrls: changes.map(({ environment, after }) => ({ environment, baseUrl: after })) },
  };
}
