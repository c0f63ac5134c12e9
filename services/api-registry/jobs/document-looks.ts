import { uuidv7 } from "uuidv7";
import type { ApiEvent } from "#contracts/api-registry/events.ts";
import { Problem } from "#contracts/kit/problem.ts";
import type { Egress } from "#libraries/egress/egress.ts";
import { fetchChangedDocument, type Validators } from "#libraries/egress/fetch-document.ts";
import { type AuditTables, insertAuditRecord } from "../../kit/audit/audit-table.ts";
import type { Executor } from "../../kit/database/database.ts";
import type { PublishedEvent } from "../../kit/events/publisher.ts";
import {
  digestOf,
  failuresOfIncident,
  nextLook,
  nextLookAfterFailure,
  type ReviewedChange,
  reviewChange,
} from "../domain/document-watch.ts";
import type { ImportLimits } from "../domain/limits.ts";
import type { Compare } from "../http/comparisons.ts";
import { type RegistryContext, toApiEvent } from "../http/context.ts";
import type { StoreVersion } from "../http/documents.ts";
import { requireUsable } from "../http/source.ts";
import { type ApiRow, findApi } from "../store/apis.ts";
import { noChange, noFailure, updateWatch, type WatchChanges, type WatchRow } from "../store/document-watches.ts";
import { findDocument } from "../store/documents.ts";
import { storableText } from "../store/storable-text.ts";
import { hashOf, type ImportSession } from "./importer.ts";

/** Failed in a way that says nothing about the address, so that the look is repeated soon. */
const postponedMilliseconds = 60_000;
const maxReasonCharacters = 1_000;

export interface DocumentLookParts {
  context: RegistryContext;
  egress: Egress;
  limits: ImportLimits;
  compare: Compare;
  storeVersion: StoreVersion;
}

/** A look that found why there is no new version to judge. */
class FailedLook extends Error {}

/** Opens what a watched address serves, with its digest. `release` must be called in every case. */
export async function openAddress({ importer }: RegistryContext, watch: Pick<WatchRow, "url" | "organization_id">) {
  const request = new Request("http://api-registry", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ source: { url: watch.url } }),
  });
  const session = await importer.open(request, watch.organization_id);
  const failed = session.fetched.find((file) => "reason" in file);
  const files = session.fetched.flatMap((file) => ("sha256" in file ? [file] : []));
  return { session, failed, files, digest: digestOf(files) };
}

/** The whole state of a watch as other services see it. */
export function toWatchedEvent(
  api: Pick<ApiRow, "name">,
  watch: Pick<
    WatchRow,
    | "api_id"
    | "organization_id"
    | "change_found_at"
    | "change_version"
    | "change_reason"
    | "failures"
    | "failing_since"
    | "failure"
  >,
  { ending, by = null }: { ending: string; by?: { id: string; name: string } | null },
): PublishedEvent<ApiEvent> {
  const { change_found_at: foundAt, failing_since: failingSince } = watch;
  return toApiEvent("document.watched", watch.organization_id, {
    apiId: watch.api_id,
    apiName: api.name,
    changed: foundAt && {
      reason: `Version ${watch.change_version ?? ""}: ${watch.change_reason ?? ""}`,
      since: foundAt.toISOString(),
    },
    unavailable:
      failingSince && watch.failures >= failuresOfIncident
        ? { reason: watch.failure ?? "", since: failingSince.toISOString() }
        : null,
    ...{ ending, by },
  });
}

/** Looks at watched addresses, one at a time, and stores what was found. */
export function createDocumentLooks({ context, egress, limits, compare, storeVersion }: DocumentLookParts) {
  const { db, clock, publisher } = context;

  /** Stores what a look found, unless the watch was changed or claimed meanwhile. */
  async function conclude(watch: WatchRow, api: ApiRow, found: WatchChanges, ending: string): Promise<void> {
    await db.transaction().execute(async (transaction) => {
      if (!(await updateWatch(transaction, watch, { ...found, leased_until: null }))) return;
      const events = listEvents(watch, api, found, ending);
      if (events.length > 0) await publisher.publish(transaction, events);
    });
  }

  /** Stores a version that breaks nothing as the current one. */
  async function takeOver(watch: WatchRow, api: ApiRow, session: ImportSession, found: WatchChanges): Promise<void> {
    await storeVersion(api, session, {
      async record(transaction, ...changes) {
        for (const { id, before, after } of changes) {
          await insertAuditRecord(transaction as unknown as Executor<AuditTables>, {
            ...{ id: uuidv7(), organization_id: watch.organization_id, recorded_at: clock.now() },
            ...{ actor_kind: "service", actor_id: "document-watch", actor_name: "the watch of the document" },
            ...{ client_address: null, request_id: uuidv7(), operation: "importDocument" },
            ...{ resource_kind: "document", resource_id: id, before, after },
          });
        }
      },
      async also(transaction, documentId) {
        const version = storableText(session.summary.inspection.version, 200);
        const taken = { taken_document_id: documentId, taken_version: version, taken_at: clock.now() };
        const changes = { ...found, ...taken, compared_document_id: documentId, leased_until: null };
        // Settings that were saved meanwhile may forbid it.
        if (!(await updateWatch(transaction, watch, changes))) throw new FailedLook("The watch was changed.");
        return listEvents(watch, api, changes, `Version ${version} breaks nothing and was taken over.`);
      },
    });
  }

  async function judge(watch: WatchRow, api: ApiRow, validators: MainFile): Promise<void> {
    const now = clock.now();
    const { session, failed, files, digest } = await openAddress(context, watch);
    try {
      if (failed && "reason" in failed) throw new FailedLook(`${failed.url} can't be read: ${failed.reason}`);
      requireReadable(session);
      const isAsFetched = files[0]?.sha256 === validators.sha256;
      const found: WatchChanges = {
        ...{ looked_at: now, due_at: nextLook(toTimes(watch), now), digest, ...noFailure },
        ...{ is_single_file: files.length === 1, main_sha256: files[0]?.sha256 ?? null },
        etag: isAsFetched ? validators.etag : null,
        last_modified: isAsFetched ? validators.lastModified : null,
        unchanged_since: watch.digest === digest ? watch.unchanged_since : now,
        compared_document_id: api.current_document_id,
      };
      if (watch.digest === digest && watch.compared_document_id === api.current_document_id) {
        return await conclude(watch, api, found, "The address can be read again.");
      }
      const current = await findDocument(db, watch.organization_id, api.current_document_id);
      const asking = { organizationId: watch.organization_id, requestId: uuidv7(), apiId: api.id };
      const compared = await compare(session, api, asking);
      const review = reviewChange(compared);
      if (current?.sha256 === session.summary.sha256 && review.isSame) {
        return await conclude(
          watch,
          api,
          { ...found, ...noChange, dismissed_digest: null },
          "The address serves the registered version.",
        );
      }
      if (watch.action === "takeOver" && review.breakingCount === 0) {
        const operations = [...compared.added, ...compared.changed, ...compared.removed];
        const isReviewed = operations.every(({ kind, tests }) => kind === "webhook" || tests !== undefined);
        if (!isReviewed) throw new PostponedLook();
        return await takeOver(watch, api, session, { ...found, ...noChange, dismissed_digest: null });
      }
      await conclude(
        watch,
        api,
        digest === watch.dismissed_digest
          ? { ...found, ...noChange }
          : { ...found, ...toChange(watch, session, { digest, review, now }), dismissed_digest: null },
        "Another version is served now.",
      );
    } finally {
      session.release();
    }
  }

  async function fail(watch: WatchRow, api: ApiRow, reason: string): Promise<void> {
    const now = clock.now();
    const failures = watch.failures + 1;
    await conclude(
      watch,
      api,
      {
        ...{ looked_at: now, due_at: nextLookAfterFailure(toTimes(watch), failures, now), failures },
        ...{ failing_since: watch.failing_since ?? now, failure: storableText(reason, maxReasonCharacters) },
      },
      "",
    );
  }

  return {
    async look(watch: WatchRow): Promise<void> {
      const api = await findApi(db, watch.organization_id, watch.api_id);
      if (!api) return;
      try {
        const { etag, last_modified: lastModified } = watch;
        const isCompared = watch.digest !== null && watch.compared_document_id === api.current_document_id;
        const mayAsk = isCompared && watch.is_single_file;
        const fetched = await fetchChangedDocument(egress, watch.url, {
          ...{ maxBytes: limits.bytes, pool: watch.organization_id },
          known: mayAsk ? { etag, lastModified } : { etag: null, lastModified: null },
        });
        if (!fetched.ok) throw new FailedLook(fetched.reason);
        const sha256 = "unchanged" in fetched ? watch.main_sha256! : await hashOf(fetched.bytes);
        if (mayAsk && sha256 === watch.main_sha256) {
          const now = clock.now();
          const validators =
            "unchanged" in fetched
              ? {}
              : { etag: fetched.validators?.etag, last_modified: fetched.validators?.lastModified };
          const found = { looked_at: now, due_at: nextLook(toTimes(watch), now), ...validators, ...noFailure };
          return await conclude(watch, api, found, "The address can be read again.");
        }
        const validators = "unchanged" in fetched ? undefined : fetched.validators;
        await judge(watch, api, {
          sha256,
          etag: validators?.etag ?? null,
          lastModified: validators?.lastModified ?? null,
        });
      } catch (error) {
        if (error instanceof FailedLook) return await fail(watch, api, error.message);
        const isPostponed = error instanceof PostponedLook || error instanceof Problem;
        const due_at = new Date(clock.now().getTime() + postponedMilliseconds);
        await updateWatch(db, watch, { due_at, leased_until: null });
        if (!isPostponed) throw error;
      }
    },
  };
}

export type DocumentLooks = ReturnType<typeof createDocumentLooks>;

/** The tests that a version touches are not known now. */
class PostponedLook extends Error {}

type MainFile = Validators & { sha256: string };

const toTimes = ({ api_id: apiId, every_minutes: everyMinutes }: WatchRow) => ({ apiId, everyMinutes });

function requireReadable(session: ImportSession): void {
  try {
    requireUsable(session.summary);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    throw new FailedLook(`The document is not valid. ${error.extras.errors?.[0]?.message ?? error.detail}`);
  }
}

function toChange(
  watch: WatchRow,
  session: ImportSession,
  { digest, review, now }: { digest: string; review: ReviewedChange; now: Date },
): WatchChanges {
  return {
    ...{ change_digest: digest, change_version: storableText(session.summary.inspection.version, 200) },
    change_found_at: watch.change_digest === digest ? watch.change_found_at : now,
    change_breaking_count: review.breakingCount,
    change_reason: storableText(review.reason, maxReasonCharacters),
  };
}

/** Only what others are to know of: not a look that found what the one before had found. */
function listEvents(watch: WatchRow, api: ApiRow, found: WatchChanges, ending: string): PublishedEvent<ApiEvent>[] {
  const [before, after] = [watch, { ...watch, ...found } as WatchRow].map((state) =>
    toWatchedEvent(api, state, { ending }),
  );
  const hasChanged = JSON.stringify(before!.payload) !== JSON.stringify(after!.payload);
  return hasChanged ? [after!] : [];
}
