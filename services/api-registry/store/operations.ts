import { type RawBuilder, sql } from "kysely";
import type { Api } from "#contracts/api-registry/apis.ts";
import type { OperationSummary } from "#contracts/api-registry/operations.ts";
import { pathGroupPattern, rootGroup } from "#libraries/openapi/path-group.ts";
import type { MethodEffect } from "#libraries/openapi/safe-methods.ts";
import type { Executor } from "../../kit/database/database.ts";
import { containsPattern, pageFrom, readPositionCursor } from "../../kit/database/keyset.ts";
import type { OperationRow } from "../domain/imported-document.ts";
import { lookupKey } from "./content-rows.ts";
import type { ApiRegistryTables, OperationTable } from "./tables.ts";

type Db = Executor<ApiRegistryTables>;

function toOperationSummary(row: OperationTable): OperationSummary {
  return {
    operationId: row.operation_id,
    path: row.path,
    method: row.method,
    summary: row.summary,
    tag: row.tags[0] ?? "",
    tags: row.tags,
    deprecated: row.deprecated,
    responseStatuses: row.response_statuses,
  };
}

export interface OperationFilter {
  limit: number;
  cursor?: string | undefined;
  query?: string | undefined;
  tag?: string | undefined;
  /** For operations without a tag. */
  prefix?: string | undefined;
  method?: string | undefined;
  effect?: MethodEffect | undefined;
}

const inSafe = sql<boolean>`upper(method) in ('GET', 'HEAD', 'OPTIONS', 'TRACE')`;

const pathGroup = sql<string>`coalesce(substring(operations.path from ${sql.lit(pathGroupPattern)}), ${sql.lit(rootGroup)})`;

/** As returned by `effectOf`. */
const hasEffect: Record<MethodEffect, RawBuilder<boolean>> = {
  safe: inSafe,
  deletes: sql<boolean>`upper(method) = 'DELETE'`,
  changes: sql<boolean>`not ${inSafe} and upper(method) <> 'DELETE'`,
};

/** Operations in document order. An empty tag finds those without one. */
export async function listOperations(
  db: Db,
  { id: documentId, operationCount }: { id: string; operationCount: number },
  filter: OperationFilter,
): Promise<{ items: OperationSummary[]; nextCursor: string | null; total: number }> {
  const { query, prefix, method, effect } = filter;
  const tag = prefix === undefined ? filter.tag : "";
  const filtered = db
    .selectFrom("operations")
    .where("operations.document_id", "=", documentId)
    .where("kind", "=", "operation")
    .$if(!!query, (select) => select.where("search_text", "like", containsPattern(query!.toLowerCase())))
    .$if(
      tag !== undefined,
      (select) =>
        select.innerJoin("operation_tags", (join) =>
          join
            .onRef("operation_tags.document_id", "=", "operations.document_id")
            .onRef("operation_tags.position", "=", "operations.position")
            .on("operation_tags.tag", "=", tag!),
        ) as unknown as typeof select,
    )
    .$if(prefix !== undefined, (select) => select.where(sql<boolean>`${pathGroup} = ${prefix!}`))
    .$if(!!method, (select) => select.where(sql<boolean>`lower(method) = ${method!.toLowerCase()}`))
    .$if(effect !== undefined, (select) => select.where(hasEffect[effect!]));
  const after = filter.cursor ? readPositionCursor(filter.cursor) : -1;
  const rows = await filtered
    .selectAll("operations")
    .where("operations.position", ">", after)
    .orderBy("operations.position")
    .limit(filter.limit + 1)
    .execute();
  const page = pageFrom(rows, filter.limit, (row) => [row.position], toOperationSummary);
  // Counting reads every matching row, so it is omitted where the number is known.
  if (!query && tag === undefined && !method && !effect) return { ...page, total: operationCount };
  if (!filter.cursor && page.nextCursor === null) return { ...page, total: page.items.length };
  const { total } = await filtered.select(({ fn }) => fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
  return { ...page, total: Number(total) };
}

/** Tags in use with the number of their operations, in order of first use. */
export async function countOperationTags(db: Db, documentId: string, limit = 500): Promise<Api["operationTags"]> {
  const rows = await db
    .selectFrom("operation_tags")
    .select("tag as name")
    .select(({ fn }) => [fn.countAll<number>().as("count"), fn.min("position").as("first")])
    .where("document_id", "=", documentId)
    .where("tag", "!=", "")
    .groupBy("tag")
    .orderBy("first")
    .orderBy("name")
    .limit(limit)
    .execute();
  return rows.map(({ name, count }) => ({ name, operationCount: Number(count) }));
}

/** Path prefixes of operations without a tag, in order of first use. */
export async function countPathGroups(db: Db, documentId: string): Promise<{ name: string; operationCount: number }[]> {
  const rows = await db
    .selectFrom("operation_tags")
    .innerJoin("operations", (join) =>
      join
        .onRef("operations.document_id", "=", "operation_tags.document_id")
        .onRef("operations.position", "=", "operation_tags.position"),
    )
    .select(pathGroup.as("name"))
    .select(({ fn }) => [fn.countAll<number>().as("count"), fn.min("operations.position").as("first")])
    .where("operation_tags.document_id", "=", documentId)
    .where("tag", "=", "")
    .groupBy("name")
    .orderBy("first")
    .execute();
  return rows.map(({ name, count }) => ({ name, operationCount: Number(count) }));
}

export async function listWebhooks(db: Db, documentId: string): Promise<Api["webhooks"]> {
  const rows = await db
    .selectFrom("operations")
    .select(["path", "method", "summary"])
    .where("document_id", "=", documentId)
    .where("kind", "=", "webhook")
    .orderBy("position")
    .limit(500)
    .execute();
  return rows.map(({ path, method, summary }) => ({ name: path, method, summary }));
}

/** An operation as stored, in JSON texts that are concatenated without being parsed. */
export interface StoredOperation {
  described: string;
  securitySchemes: string;
  components: { reference: string; body: string }[];
}

/** Methods are matched as written, else in lower case, as OpenAPI writes the usual ones. */
export async function findOperations(
  db: Db,
  documentId: string,
  kind: OperationRow["kind"],
  wanted: { method: string; path: string }[],
): Promise<StoredOperation[]> {
  const keys = new Set(
    wanted.flatMap(({ method, path }) => [lookupKey(kind, method, path), lookupKey(kind, method.toLowerCase(), path)]),
  );
  const found = await db
    .selectFrom("operations")
    .innerJoin("operation_details", (join) =>
      join
        .onRef("operation_details.document_id", "=", "operations.document_id")
        .onRef("operation_details.position", "=", "operations.position"),
    )
    .innerJoin("reaches", (join) =>
      join
        .onRef("reaches.document_id", "=", "operations.document_id")
        .onRef("reaches.number", "=", "operation_details.reach_number"),
    )
    .select(["described", "security_schemes", "ordinals"])
    .where("operations.document_id", "=", documentId)
    .where("lookup_key", "in", [...keys])
    .orderBy("operations.position")
    .execute();
  const ordinals = [...new Set(found.flatMap((row) => row.ordinals))];
  const components = ordinals.length === 0 ? [] : await findComponents(db, documentId, ordinals);
  const byOrdinal = new Map(components.map((component) => [component.ordinal, component]));
  return found.map((row) => ({
    described: row.described,
    securitySchemes: row.security_schemes,
    components: row.ordinals.map((ordinal) => byOrdinal.get(ordinal)).filter((component) => component !== undefined),
  }));
}

async function findComponents(db: Db, documentId: string, ordinals: number[]) {
  return await db
    .selectFrom("components")
    .select(["ordinal", "reference", "body"])
    .where("document_id", "=", documentId)
    .where(sql<boolean>`ordinal = any(cast(${ordinals} as integer[]))`)
    .orderBy("ordinal")
    .execute();
}
