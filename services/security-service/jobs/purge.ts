import type { Logger } from "pino";
import type { Clock } from "../../kit/clock/clock.ts";
import { startPeriodicJob } from "../../kit/clock/periodic-job.ts";
import { knownAddressMilliseconds } from "../domain/login-limit.ts";
import { longestWindowMilliseconds } from "../domain/try-limit.ts";
import { purgeAccessChanges } from "../store/access-changes.ts";
import { purgeApiTokens } from "../store/api-tokens.ts";
import { writeDownExpired } from "../store/invitations.ts";
import { purgeKnownAddresses } from "../store/known-addresses.ts";
import { purgeLinks } from "../store/mailed-links.ts";
import { purgePasskeyChallenges } from "../store/passkeys.ts";
import { purgeChallenges } from "../store/second-factors.ts";
import { purgeSessions } from "../store/sessions.ts";
import { purgeSpentHumanChecks } from "../store/spent-human-checks.ts";
import type { SecurityDatabase } from "../store/tables.ts";
import { purgeTries } from "../store/tries.ts";

const rowsOfStep = 500;
/** Expired tokens stay listed for a while, so that the owner of a failing build finds the cause. */
const apiTokenRetentionMilliseconds = 30 * 24 * 60 * 60 * 1_000;
const everyMilliseconds = 60 * 60 * 1_000;

/**
 * Deletes expired sessions and mailed links, tries that no longer count and known addresses that were not used again.
 * Invitations stay, as they are their organization's records; their expiry is stored.
 */
export async function purgeExpired(db: SecurityDatabase, now: Date): Promise<void> {
  await purgeSessions(db, now);
  await purgeAccessChanges(db);
  await purgeApiTokens(db, new Date(now.getTime() - apiTokenRetentionMilliseconds));
  await purgeChallenges(db, now);
  await purgePasskeyChallenges(db, now);
  await purgeTries(db, new Date(now.getTime() - longestWindowMilliseconds));
  await purgeSpentHumanChecks(db, now);
  await purgeLinks(db, now);
  while ((await writeDownExpired(db, now, rowsOfStep)) === rowsOfStep);
  await purgeKnownAddresses(db, new Date(now.getTime() - knownAddressMilliseconds));
}

/**
 * Purges at the start and once an hour.
 * @returns a function that stops it after the running purge
 */
export function startPurge(db: SecurityDatabase, clock: Clock, log: Logger): () => Promise<void> {
  return startPeriodicJob({
    intervalMilliseconds: everyMilliseconds,
    immediately: true,
    work: () => purgeExpired(db, clock.now()),
    failure: "purge failed",
    log,
  });
}
