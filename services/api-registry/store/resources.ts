import { createHash } from "node:crypto";
import {
  type Consumer,
  consumer,
  type OperationKey,
  type Resource,
  resource,
} from "#contracts/api-registry/resources.ts";
import type { Executor } from "../../kit/database/database.ts";
import { containsPattern, pageFrom, readPositionCursor } from "../../kit/database/keyset.ts";
import { lookupKey, resourceLookupKey } from "./content-rows.ts";
import type { ApiRegistryTables } from "./tables.ts";

type Db = Executor<ApiRegistryTables>;

/** Where a request needs a value. */
export type ConsumerPlace = Pick<Consumer, "operation" | "in" | "name">;

const consumerPlace = consumer.pick({ operation: true, in: true, name: true });

const readResource = (text: string): Resource => resource.parse(JSON.parse(text));
const readConsumers = (text: string): Consumer[] => consumer.array().parse(JSON.parse(text));

/** Resources in document order. */
export async function listResources(
  db: Db,
  documentId: string,
  { limit, cursor, query }: { limit: number; cursor?: string | undefined; query?: string | undefined },
) {
  const filtered = db
    .selectFrom("resources")
    .where("document_id", "=", documentId)
    .$if(!!query, (select) => select.where("search_text", "like", containsPattern(query!.toLowerCase())));
  const rows = await filtered
    .select(["position", "body", "consumer_count"])
    .where("position", ">", cursor ? readPositionCursor(cursor) : -1)
    .orderBy("position")
    .limit(limit + 1)
    .execute();
  const { total } = await filtered.select(({ fn }) => fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
  const page = pageFrom(
    rows,
    limit,
    (row) => [row.position],
    (row) => ({ ...readResource(row.body), consumerCount: row.consumer_count }),
  );
  return { ...page, total: Number(total) };
}

export async function findResource(
  db: Db,
  documentId: string,
  key: string,
): Promise<(Resource & { consumers: Consumer[]; consumerCount: number }) | undefined> {
  const row = await db
    .selectFrom("resources")
    .select(["body", "consumers", "consumer_count"])
    .where("document_id", "=", documentId)
    .where("lookup_key", "=", resourceLookupKey(key))
    .executeTakeFirst();
  return (
    row && { ...readResource(row.body), consumers: readConsumers(row.consumers), consumerCount: row.consumer_count }
  );
}

export async function findResources(db: Db, documentId: string, keys: readonly string[]): Promise<Resource[]> {
  if (keys.length === 0) return [];
  const rows = await db
    .selectFrom("resources")
    .select("body")
    .where("document_id", "=", documentId)
    .where("lookup_key", "in", keys.map(resourceLookupKey))
    .orderBy("position")
    .execute();
  return rows.map(({ body }) => readResource(body));
}

/** Past this number of resources, those of an operation are found by its path only. */
const maxSearched = 500;

/** The resources in which one of these operations has a role. */
export async function findResourcesOf(
  db: Db,
  documentId: string,
  operations: readonly OperationKey[],
): Promise<Resource[]> {
  const rows = await db
    .selectFrom("resources")
    .select("body")
    .where("document_id", "=", documentId)
    .orderBy("position")
    .limit(maxSearched + 1)
    .execute();
  const paths = operations.map(({ path }) => toUnnamed(path));
  const candidates =
    rows.length > maxSearched
      ? await findResources(db, documentId, [...new Set(paths.flatMap((path) => [path, `${path}/{}`]))])
      : rows.map(({ body }) => readResource(body));
  const wanted = new Set(operations.map(({ method, path }) => `${method} ${path}`));
  return candidates.filter((one) =>
    Object.values(one.operations).some(({ method, path }) => wanted.has(`${method} ${path}`)),
  );
}

/** As keys of resources write it: `/shops/{}/books` */
const toUnnamed = (path: string) => path.replace(/\{[^{}]*\}/g, "{}").replace(/\/$/, "");

/** What these operations need, in document order. */
export async function findConsumers(
  db: Db,
  documentId: string,
  operations: readonly { method: string; path: string }[],
): Promise<Consumer[]> {
  const keys = operations.map(({ method, path }) => lookupKey("operation", method, path));
  const rows = await db
    .selectFrom("operations")
    .innerJoin("operation_consumers", (join) =>
      join
        .onRef("operation_consumers.document_id", "=", "operations.document_id")
        .onRef("operation_consumers.position", "=", "operations.position"),
    )
    .select("body")
    .where("operations.document_id", "=", documentId)
    .where("operations.lookup_key", "in", keys)
    .orderBy("operations.position")
    .execute();
  return rows.flatMap(({ body }) => readConsumers(body));
}

/** A hash: paths and pointers may be longer than an index entry. */
function placeKey({ operation: { method, path }, in: location, name }: ConsumerPlace): string {
  return createHash("sha256")
    .update(JSON.stringify([method, path, location, name]))
    .digest("base64url")
    .slice(0, 22);
}

export interface SaidDependency extends ConsumerPlace {
  resource: string | null;
}

/** What people said of an API's dependencies; at most 5,000. */
export async function listSaid(db: Db, apiId: string): Promise<SaidDependency[]> {
  const rows = await db
    .selectFrom("said_dependencies")
    .select(["place", "resource"])
    .where("api_id", "=", apiId)
    .orderBy("said_at")
    .limit(maxSaid)
    .execute();
  return rows.map(({ place, resource: key }) => ({ ...consumerPlace.parse(JSON.parse(place)), resource: key }));
}

export const maxSaid = 5_000;

/** @returns what was said before: undefined for nothing */
export async function say(
  db: Db,
  apiId: string,
  { resource: key, ...place }: SaidDependency,
  now: Date,
): Promise<string | null | undefined> {
  const before = await findSaid(db, apiId, place);
  const values = {
    api_id: apiId,
    lookup_key: placeKey(place),
    place: JSON.stringify(place),
    resource: key,
    said_at: now,
  };
  await db
    .insertInto("said_dependencies")
    .values(values)
    .onConflict((conflict) => conflict.columns(["api_id", "lookup_key"]).doUpdateSet({ resource: key, said_at: now }))
    .execute();
  return before;
}

async function findSaid(db: Db, apiId: string, place: ConsumerPlace): Promise<string | null | undefined> {
  const row = await db
    .selectFrom("said_dependencies")
    .select("resource")
    .where("api_id", "=", apiId)
    .where("lookup_key", "=", placeKey(place))
    .executeTakeFirst();
  return row?.resource;
}

/** @returns what was said: undefined for nothing */
export async function forget(db: Db, apiId: string, place: ConsumerPlace): Promise<string | null | undefined> {
  const row = await db
    .deleteFrom("said_dependencies")
    .where("api_id", "=", apiId)
    .where("lookup_key", "=", placeKey(place))
    .returning("resource")
    .executeTakeFirst();
  return row?.resource;
}
