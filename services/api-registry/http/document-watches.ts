import { notFound, Problem } from "#contracts/kit/problem.ts";
import { openAddress, toWatchedEvent } from "../jobs/document-looks.ts";
import {
  deleteWatch,
  findWatch,
  noChange,
  noFailure,
  saveWatch,
  toDocumentWatch,
  updateWatch,
  type WatchRow,
} from "../store/document-watches.ts";
import { findDocument, toDocumentVersion } from "../store/documents.ts";
import { type RegistryContext, type RegistryHandlers, requireApi } from "./context.ts";
import type { StoreVersion } from "./documents.ts";
import { requireUsable } from "./source.ts";

type WatchHandlers = Pick<
  RegistryHandlers,
  "getDocumentWatch" | "setDocumentWatch" | "endDocumentWatch" | "takeOverDocument" | "dismissDocument"
>;

/** Creates the handlers for the watch of a document's address, and for what a person decides about its new version. */
export function createDocumentWatchHandlers(context: RegistryContext, storeVersion: StoreVersion): WatchHandlers {
  const { db, clock, publisher } = context;

  /** @throws Problem conflict if another version waits, or none */
  async function requireWaiting(of: { organizationId: string; apiId: string }, digest: string): Promise<WatchRow> {
    const watch = await findWatch(db, of);
    if (!watch) throw notFound("document watch");
    requireDigest(watch.change_digest, digest);
    return watch;
  }

  return {
    async getDocumentWatch({ caller, params: { apiId } }) {
      const { organizationId } = caller;
      await requireApi(context, organizationId, apiId);
      const watch = await findWatch(db, { organizationId, apiId });
      return { watch: watch ? toDocumentWatch(watch) : null };
    },

    async setDocumentWatch({ caller, params: { apiId }, body, record }) {
      const { organizationId } = caller;
      const api = await requireApi(context, organizationId, apiId);
      const of = { organizationId, apiId, now: clock.now() };
      const saved = await db.transaction().execute(async (transaction) => {
        const before = await findWatch(transaction, of, { lock: true });
        const after = await saveWatch(transaction, of, body);
        await record(transaction, { id: apiId, ...(before ? { before: audited(before) } : {}), after: audited(after) });
        if (before && before.url !== after.url) {
          const by = { id: caller.userId, name: caller.name };
          await publisher.publish(transaction, [
            toWatchedEvent(api, after, { ending: "Another address is watched.", by }),
          ]);
        }
        return after;
      });
      return toDocumentWatch(saved);
    },

    async endDocumentWatch({ caller, params: { apiId }, record }) {
      const { organizationId } = caller;
      const api = await requireApi(context, organizationId, apiId);
      await db.transaction().execute(async (transaction) => {
        const before = await findWatch(transaction, { organizationId, apiId }, { lock: true });
        if (!before) throw notFound("document watch");
        await deleteWatch(transaction, { organizationId, apiId });
        await record(transaction, { id: apiId, before: audited(before) });
        const by = { id: caller.userId, name: caller.name };
        const ended = { ...before, ...noChange, ...noFailure };
        await publisher.publish(transaction, [toWatchedEvent(api, ended, { ending: "The watch was ended.", by })]);
      });
      return undefined;
    },

    async takeOverDocument({ caller, params: { apiId }, body, record }) {
      const { organizationId } = caller;
      const api = await requireApi(context, organizationId, apiId);
      const watch = await requireWaiting({ organizationId, apiId }, body.digest);
      const { session, digest } = await openAddress(context, watch);
      try {
        requireUsable(session.summary);
        requireDigest(digest, body.digest);
        const id = await storeVersion(api, session, {
          record,
          async also(transaction, documentId) {
            const found = { ...noChange, compared_document_id: documentId, dismissed_digest: null };
            if (!(await updateWatch(transaction, watch, found))) throw changedMeanwhile();
            const by = { id: caller.userId, name: caller.name };
            return [toWatchedEvent(api, { ...watch, ...found }, { ending: "The version was taken over.", by })];
          },
        });
        const document = await findDocument(db, organizationId, id);
        return toDocumentVersion(document!, id);
      } finally {
        session.release();
      }
    },

    async dismissDocument({ caller, params: { apiId }, body, record }) {
      const { organizationId } = caller;
      const api = await requireApi(context, organizationId, apiId);
      const watch = await requireWaiting({ organizationId, apiId }, body.digest);
      const dismissed = { ...noChange, dismissed_digest: body.digest };
      await db.transaction().execute(async (transaction) => {
        if (!(await updateWatch(transaction, watch, dismissed))) throw changedMeanwhile();
        const by = { id: caller.userId, name: caller.name };
        await record(transaction, { id: apiId, before: audited(watch), after: { dismissed: watch.change_version } });
        await publisher.publish(transaction, [
          toWatchedEvent(api, { ...watch, ...dismissed }, { ending: "The version was dismissed.", by }),
        ]);
      });
      return toDocumentWatch({ ...watch, ...dismissed });
    },
  };
}

const changedMeanwhile = () =>
  new Problem("conflict", "The address is being looked at right now. Try again in a moment.");

function requireDigest(current: string | null, digest: string): void {
  if (current === digest) return;
  throw new Problem("conflict", "The address serves another version now. Look at what changes first.");
}

const audited = ({ url, every_minutes: everyMinutes, action, change_version: waiting }: WatchRow) => ({
  ...{ url, everyMinutes, action },
  ...(waiting === null ? {} : { waiting }),
});
