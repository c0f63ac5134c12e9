import type { Logger } from "pino";
import { uuidv7 } from "uuidv7";
import type { Clock } from "../../kit/clock/clock.ts";
import { acrossOrganizations } from "../../kit/database/organization-scope.ts";
import {
  endAllLeases,
  giveContentUp,
  insertOperationWords,
  insertPiece,
  leaseLooseContent,
  noteContent,
  removePiece,
  renewContentLease,
} from "../store/contents.ts";
import type { RegistryDatabase } from "../store/tables.ts";
import type { ImportSession } from "./importer.ts";

/** A process that has not stored a piece for this long is dead, or so slow that its import has to be repeated. */
const leaseMilliseconds = 5 * 60_000;
const everyMilliseconds = 60 * 60_000;

/** Writes and removes the contents of documents in pieces, and yields to other work between them. */
export interface ContentStore {
  /**
   * Stores a session's document invisibly, then has `show` create its row in one short transaction. A failure or crash
   * before that leaves nothing visible, and the written content is removed.
   */
  storeContent<Shown>(session: ImportSession, show: (documentId: string) => Promise<Shown>): Promise<Shown>;
  /** Starts to remove content that is not leased, without waiting for the hour. */
  removeSoon(): void;
  /** Resolves after the current piece is removed. */
  stop(): Promise<void>;
}

/**
 * Pauses as long as the work took: on the only connection, a page with ten queries would otherwise wait for ten pieces.
 */
async function withPause<Result>(work: () => Promise<Result>): Promise<Result> {
  const start = performance.now();
  const result = await work();
  const milliseconds = Math.min(performance.now() - start, 100);
  await new Promise((resolve) => setTimeout(resolve, milliseconds));
  return result;
}

interface ContentStoreOptions {
  db: RegistryDatabase;
  clock: Clock;
  log: Logger;
  /** This process has exclusive use of the database, over one connection. */
  alone: boolean;
}

/** Removes leftovers at startup, every hour, and on demand. */
export async function createContentStore({ db, clock, log, alone }: ContentStoreOptions): Promise<ContentStore> {
  let stopping = false;
  let removing: Promise<void> | undefined;
  let again = false;
  const inTurn: typeof withPause = alone ? withPause : (work) => work();
  const later = () => new Date(clock.now().getTime() + leaseMilliseconds);

  async function removeLoose(): Promise<void> {
    while (!stopping) {
      const documentId = await leaseLooseContent(db, clock.now(), later());
      if (!documentId) return;
      while (!stopping && (await inTurn(() => removePiece(db, documentId))));
      // Another process, or the next start, continues at once.
      if (stopping) await giveContentUp(db, documentId, clock.now());
    }
  }

  function removeSoon(): void {
    again = true;
    removing ??= acrossOrganizations(async () => {
      while (again && !stopping) {
        again = false;
        await removeLoose();
      }
    })
      .catch((error) => log.error({ err: error }, "removing the contents of documents failed"))
      .finally(() => {
        removing = undefined;
        // A request arrived between the last check and now.
        if (again && !stopping) removeSoon();
      });
  }

  async function storePieces(documentId: string, session: ImportSession): Promise<void> {
    for await (const piece of session.pieces()) {
      await inTurn(() =>
        db.transaction().execute(async (transaction) => {
          if (!(await renewContentLease(transaction, documentId, later()))) throw new Error("The import was given up.");
          await insertPiece(transaction, documentId, piece);
          if ("deflated" in piece || piece.table !== "operations") return;
          await insertOperationWords(transaction, { documentId, organizationId: session.organizationId }, piece.rows);
        }),
      );
    }
  }

  if (alone) await endAllLeases(db, clock.now());
  removeSoon();
  const timer = setInterval(removeSoon, everyMilliseconds);
  timer.unref();
  return {
    async storeContent(session, show) {
      const documentId = uuidv7();
      await noteContent(db, documentId, later());
      try {
        // Not leased before its document exists.
        await acrossOrganizations(() => storePieces(documentId, session));
        return await show(documentId);
      } catch (error) {
        await giveContentUp(db, documentId, clock.now());
        removeSoon();
        throw error;
      }
    },
    removeSoon,
    async stop() {
      stopping = true;
      clearInterval(timer);
      await removing;
    },
  };
}
