import { sql } from "kysely";
import { Cache } from "#libraries/cache/cache.ts";
import { getMember } from "#libraries/json/json-value.ts";
import type { Executor } from "../../kit/database/database.ts";
import type { ApiRegistryTables } from "./tables.ts";

type Db = Executor<ApiRegistryTables>;

const noneOwn = '{"ownServers":[],';

/**
 * Whether operations of a document may have servers of their own; documents of older versions don't know. Reads only
 * the beginning of `metadata`, which PostgreSQL decompresses no further.
 */
export const mayHaveOwnServers = sql<boolean>`left(documents.metadata, ${sql.lit(noneOwn.length)}) <> ${sql.lit(noneOwn)}`;

/** JSON text of the URLs of servers that operations have instead of the document's; null for none or unknown. */
export const ownServers = sql<string | null>`case when ${mayHaveOwnServers}
  then substring(documents.metadata from '^\\{"ownServers":(\\[("([^"\\\\]|\\\\.)*",?)*\\])') end`;

/** A document's servers and its operations' are texts of the same form, so they are compared without being parsed. */
export interface DocumentServers {
  /** JSON text of the document's servers; null if no operation has others. */
  text: string | null;
}

export type FindDocumentServers = (documentId: string) => Promise<DocumentServers>;

/** Caches them: documents never change. */
export function createDocumentServersLookup(db: Db): FindDocumentServers {
  const known = new Cache<DocumentServers>({ maxSize: 5_000 });
  return async (documentId) => {
    const stored = known.get(documentId);
    if (stored) return stored;
    const row = await db
      .selectFrom("documents")
      .select(sql<string | null>`case when ${mayHaveOwnServers} then metadata end`.as("metadata"))
      .where("id", "=", documentId)
      .executeTakeFirst();
    const found = { text: row?.metadata ? readServersText(row.metadata) : null };
    if (row) known.set(documentId, found);
    return found;
  };
}

/** JSON text of the document's servers as they were stored; Zod would order their members differently. */
export function readServersText(metadata: string): string {
  const stored: unknown = JSON.parse(metadata);
  return JSON.stringify(getMember(stored, "servers") ?? []);
}

const member = '"servers":';

/**
 * The JSON text of the document's servers, if the operation has others.
 * @param described JSON text of a DescribedOperation, in which no free text precedes its servers
 */
export function getReplacedServers(described: string, { text }: DocumentServers): string | undefined {
  if (text === null) return undefined;
  const start = described.indexOf(`${member}[`);
  return start < 0 || described.startsWith(text, start + member.length) ? undefined : text;
}
