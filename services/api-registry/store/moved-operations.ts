import type { z } from "@hono/zod-openapi";
import { maxMovesPerEvent, type operationsMoved } from "#contracts/api-registry/events.ts";
import { listRenamed, matchOperations } from "#libraries/openapi/comparison/match-operations.ts";
import { findMovedPrefix, type PrefixOfOperations } from "#libraries/openapi/comparison/moved-prefix.ts";
import type { Executor } from "../../kit/database/database.ts";
import { readMetadata } from "./documents.ts";
import type { ApiRegistryTables } from "./tables.ts";

type Db = Executor<ApiRegistryTables>;
type Moves = z.infer<typeof operationsMoved>["payload"]["moves"];

export interface MovedOperations {
  /** In parts for events. */
  parts: Moves[];
  movedPrefix: PrefixOfOperations | undefined;
}

/** Operations that are the same requests under another path in the new document. */
export async function findMoves(db: Db, { from, to }: { from: string; to: string }): Promise<MovedOperations> {
  const [old, now] = [await readPaths(db, from), await readPaths(db, to)];
  const servers = { before: old.servers, after: now.servers };
  const { pairs } = matchOperations(old.operations, now.operations, servers);
  const moves = pairs
    .filter(({ before, after }) => before.path !== after.path)
    .map(({ before, after }) => ({
      method: before.method,
      from: before.path,
      to: after.path,
      parameters: listRenamed(before.path, after.path),
    }));
  const parts = Array.from({ length: Math.ceil(moves.length / maxMovesPerEvent) }, (_, index) =>
    moves.slice(index * maxMovesPerEvent, (index + 1) * maxMovesPerEvent),
  );
  return { parts, movedPrefix: findMovedPrefix(pairs) };
}

async function readPaths(db: Db, documentId: string) {
  const document = await db
    .selectFrom("documents")
    .select("metadata")
    .where("id", "=", documentId)
    .executeTakeFirstOrThrow();
  const operations = await db
    .selectFrom("operations")
    .select(["method", "path"])
    .where("document_id", "=", documentId)
    .where("kind", "=", "operation")
    .orderBy("position")
    .execute();
  return { servers: readMetadata(document).servers, operations };
}
