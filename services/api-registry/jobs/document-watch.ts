import type { Logger } from "pino";
import type { Clock } from "../../kit/clock/clock.ts";
import { startPeriodicJob } from "../../kit/clock/periodic-job.ts";
import { acrossOrganizations, withOrganization } from "../../kit/database/organization-scope.ts";
import { claimDueWatch } from "../store/document-watches.ts";
import type { RegistryDatabase } from "../store/tables.ts";
import type { DocumentLooks } from "./document-looks.ts";

/** Saved settings are looked at by users who wait for the first look. */
const everyMilliseconds = 3_000;
/** As many as imports at one time: slow addresses must not keep users' imports waiting. */
const maxLooks = 2;

/**
 * Looks at the addresses that are due, each by one process at a time.
 * @returns a function that stops it after the looks under way
 */
export function startDocumentWatch(parts: {
  db: RegistryDatabase;
  clock: Clock;
  log: Logger;
  looks: DocumentLooks;
  watchEveryMilliseconds?: number;
}): () => Promise<void> {
  const { db, clock, log, looks } = parts;

  async function lookInTurn(stopping: AbortSignal): Promise<void> {
    while (!stopping.aborted) {
      const watch = await acrossOrganizations(() => claimDueWatch(db, clock.now()));
      if (!watch) return;
      await withOrganization(watch.organization_id, () => looks.look(watch)).catch((error: unknown) =>
        log.error({ err: error, apiId: watch.api_id }, "looking at a watched document failed"),
      );
    }
  }

  return startPeriodicJob({
    intervalMilliseconds: parts.watchEveryMilliseconds ?? everyMilliseconds,
    work: (stopping) => Promise.all(Array.from({ length: maxLooks }, () => lookInTurn(stopping))),
    failure: "watched documents could not be looked at",
    log,
  });
}
