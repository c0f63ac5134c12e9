import { createHash } from "node:crypto";
import { sql } from "kysely";
import { z } from "zod";
import type { DescribedOperation } from "#contracts/api-registry/operations.ts";
import { consumer, type OperationKey, operationKey, resource } from "#contracts/api-registry/resources.ts";
import type { SeenDependency } from "#contracts/test-executioner/events.ts";
import type { Executor } from "../../kit/database/database.ts";
import { isEvidence, SeenResources, type StoredSeenDependency } from "../domain/seen-dependencies.ts";
import { lookupKey } from "./content-rows.ts";
import { parseDescribedOperation } from "./described-operation.ts";
import type { ApiRegistryTables, SeenDependencyTable } from "./tables.ts";

type Db = Executor<ApiRegistryTables>;

/** Of an API; the least frequent are given up. */
const maxDependencies = 2_000;
const resourcesOfPage = 200;

const storedDependency = z.object({
  from: z.object({ operation: operationKey, path: z.string() }),
  to: consumer.pick({ operation: true, in: true, name: true }),
});

function toDependency(row: SeenDependencyTable): StoredSeenDependency {
  const { resource: key, required, times, most_values: values, is_distinctive: isDistinctive } = row;
  return {
    ...storedDependency.parse(JSON.parse(row.dependency)),
    ...{ resource: key, required, times, values, isDistinctive },
  };
}

/** A hash: paths may be longer than an index entry. */
function dependencyKey({ from, to }: Pick<SeenDependency, "from" | "to">): string {
  const names = [from.operation.method, from.operation.path, from.path];
  return createHash("sha256")
    .update(JSON.stringify([...names, to.operation.method, to.operation.path, to.in, to.name]))
    .digest("base64url")
    .slice(0, 22);
}

/** What counts as evidence of an API's dependencies, the most frequent first. */
export async function listSeen(db: Db, apiId: string): Promise<StoredSeenDependency[]> {
  const rows = await listRows(db, apiId);
  return rows.map(toDependency).filter(isEvidence);
}

async function listRows(db: Db, apiId: string) {
  return await db
    .selectFrom("seen_dependencies")
    .selectAll()
    .where("api_id", "=", apiId)
    .orderBy("times", "desc")
    .orderBy("lookup_key")
    .limit(maxDependencies)
    .execute();
}

/** Adds what was seen since the last time; what the current document does not have is left out. */
export async function addSeen(
  db: Db,
  { id: apiId, current_document_id: documentId }: { id: string; current_document_id: string },
  dependencies: readonly SeenDependency[],
): Promise<void> {
  const described = await findDescribed(
    db,
    documentId,
    dependencies.flatMap(({ from, to }) => [from.operation, to.operation]),
  );
  const rows = dependencies.flatMap((dependency): SeenDependencyTable[] => {
    const place = findPlace(described.get(toName(dependency.to.operation)), dependency.to);
    if (!place || !described.has(toName(dependency.from.operation))) return [];
    const { times, values, isDistinctive, from } = dependency;
    const to = { ...dependency.to, name: place.name };
    return [
      {
        api_id: apiId,
        lookup_key: dependencyKey({ from, to }),
        dependency: JSON.stringify({ from, to }),
        ...{ resource: null, required: place.required, times, most_values: values, is_distinctive: isDistinctive },
      },
    ];
  });
  if (rows.length === 0) return;
  // In one order, so that two transactions never wait for each other.
  rows.sort((one, other) => (one.lookup_key < other.lookup_key ? -1 : 1));
  await db
    .insertInto("seen_dependencies")
    .values(withoutRepeated(rows))
    .onConflict((conflict) =>
      conflict.columns(["api_id", "lookup_key"]).doUpdateSet({
        times: sql`least(seen_dependencies.times::bigint + excluded.times, 2147483647)::integer`,
        most_values: sql`greatest(seen_dependencies.most_values, excluded.most_values)`,
        is_distinctive: sql`seen_dependencies.is_distinctive or excluded.is_distinctive`,
        required: sql`excluded.required`,
      }),
    )
    .execute();
  await removeRarest(db, apiId);
  await relateSeen(db, apiId, documentId);
}

/** Of headers that are written in several ways. */
const withoutRepeated = (rows: SeenDependencyTable[]) => [
  ...new Map(rows.map((row) => [row.lookup_key, row])).values(),
];

async function removeRarest(db: Db, apiId: string): Promise<void> {
  const rarest = db
    .selectFrom("seen_dependencies")
    .select("lookup_key")
    .where("api_id", "=", apiId)
    .orderBy("times", "desc")
    .orderBy("lookup_key")
    .offset(maxDependencies);
  await db.deleteFrom("seen_dependencies").where("api_id", "=", apiId).where("lookup_key", "in", rarest).execute();
}

/** For a new version of the document: what was seen stays as long as both operations and the value are in it. */
export async function renewSeen(db: Db, apiId: string, documentId: string): Promise<void> {
  const rows = await listRows(db, apiId);
  if (rows.length === 0) return;
  const dependencies = rows.map(toDependency);
  const described = await findDescribed(
    db,
    documentId,
    dependencies.flatMap(({ from, to }) => [from.operation, to.operation]),
  );
  const gone = rows.filter((_, at) => {
    const { from, to } = dependencies[at]!;
    return !described.has(toName(from.operation)) || !findPlace(described.get(toName(to.operation)), to);
  });
  if (gone.length > 0) {
    const keys = gone.map((row) => row.lookup_key);
    await db.deleteFrom("seen_dependencies").where("api_id", "=", apiId).where("lookup_key", "in", keys).execute();
  }
  await relateSeen(db, apiId, documentId);
}

/** Stores which resource of the document gives each value. */
async function relateSeen(db: Db, apiId: string, documentId: string): Promise<void> {
  const rows = await listRows(db, apiId);
  const resources = new SeenResources();
  for (let after = -1; ; ) {
    const page = await db
      .selectFrom("resources")
      .select(["position", "body"])
      .where("document_id", "=", documentId)
      .where("position", ">", after)
      .orderBy("position")
      .limit(resourcesOfPage)
      .execute();
    for (const { body } of page) resources.add(resource.parse(JSON.parse(body)));
    if (page.length < resourcesOfPage) break;
    after = page.at(-1)!.position;
  }
  const found = resources.find(rows.map(toDependency));
  for (const [at, row] of rows.entries()) {
    const { resource: key } = found[at]!;
    if (key === row.resource) continue;
    await db
      .updateTable("seen_dependencies")
      .set({ resource: key })
      .where("api_id", "=", apiId)
      .where("lookup_key", "=", row.lookup_key)
      .execute();
  }
}

const toName = ({ method, path }: OperationKey) => `${method} ${path}`;

async function findDescribed(
  db: Db,
  documentId: string,
  operations: readonly OperationKey[],
): Promise<Map<string, DescribedOperation>> {
  const keys = [...new Set(operations.map(({ method, path }) => lookupKey("operation", method, path)))];
  const rows = await db
    .selectFrom("operations")
    .innerJoin("operation_details", (join) =>
      join
        .onRef("operation_details.document_id", "=", "operations.document_id")
        .onRef("operation_details.position", "=", "operations.position"),
    )
    .select("described")
    .where("operations.document_id", "=", documentId)
    .where("lookup_key", "in", keys)
    .execute();
  const described = rows.map((row) => parseDescribedOperation(row.described));
  return new Map(described.map((operation) => [toName(operation), operation]));
}

/** As the document names it; undefined where it has no such parameter or no body. */
function findPlace(
  operation: DescribedOperation | undefined,
  { in: location, name }: Pick<SeenDependency["to"], "in" | "name">,
): { name: string; required: boolean } | undefined {
  if (!operation) return undefined;
  if (location === "body") return operation.requestBody ? { name, required: false } : undefined;
  const isNamed = (other: string) =>
    other === name || (location === "header" && other.toLowerCase() === name.toLowerCase());
  const found = operation.parameters.find((one) => one.in === location && isNamed(one.name));
  if (found) return { name: found.name, required: found.required };
  return location === "path" && operation.path.includes(`{${name}}`) ? { name, required: true } : undefined;
}
