import type { Logger } from "pino";
import { uuidv7 } from "uuidv7";
import type { apiRegistryContract } from "#contracts/api-registry/contract.ts";
import { Problem } from "#contracts/kit/problem.ts";
import type { securityServiceContract } from "#contracts/security-service/contract.ts";
import { type CallResult, type Connect, requireValue } from "../../kit/client/client.ts";
import { startPeriodicJob } from "../../kit/clock/periodic-job.ts";
import { withOrganization } from "../../kit/database/organization-scope.ts";
import type { SharedClock } from "../../kit/database/shared-clock.ts";
import type { IssueServiceToken } from "../../kit/identity/identity.ts";
import {
  changeAttempt,
  claimAttempt,
  type ImportAttempt,
  insertAttempt,
  removeAttempt,
} from "../store/import-attempts.ts";
import type { TestDatabase, TestTransaction } from "../store/tables.ts";

/** A process that gave no sign of life for this long has ended. */
const claimMilliseconds = 15_000;
const renewalMilliseconds = 5_000;
/** Longer than undoing takes. */
const undoingMilliseconds = 5 * 60_000;
const pauseMilliseconds = 5_000;
/** After which no call of a process that was suspended meanwhile can arrive. */
const suspensionMilliseconds = 60 * 60_000;
const intervalMilliseconds = 2_000;
/** How long an import waits for another one of its organization. */
const maxWaitMilliseconds = 60_000;
const pollMilliseconds = 200;

interface Parts {
  db: TestDatabase;
  log: Logger;
  readTime: SharedClock;
  apiRegistry: Connect<typeof apiRegistryContract>;
  securityService: Connect<typeof securityServiceContract>;
  serviceToken: IssueServiceToken;
}

/** An import under way, alone in its organization. */
export interface OpenImport {
  id: string;
  /** Stores which credentials are about to be stored; without it, there is nothing to take back. @throws Problem if it was taken for ended meanwhile */
  prepare(credentialIds: string[]): Promise<void>;
  /** Ends it with the transaction that stores its tests. @throws Problem if it was taken for ended meanwhile */
  complete(transaction: TestTransaction): Promise<void>;
  /** Deletes what undoing would have needed; what fails is done later. */
  forget(): Promise<void>;
  /** Takes back what it made; what fails is done later. */
  undo(): Promise<void>;
}

export type ImportAttempts = ReturnType<typeof createImportAttempts>;

/** Creates what makes an import all or nothing, although several services store its parts. */
export function createImportAttempts({ db, log, readTime, apiRegistry, securityService, serviceToken }: Parts) {
  const renewals = new Set<() => Promise<void>>();
  const later = async (milliseconds: number) => new Date((await readTime()).getTime() + milliseconds);

  async function connect({ id: requestId, organization_id }: ImportAttempt) {
    const token = await serviceToken(organization_id);
    return { registry: apiRegistry({ token, requestId }), security: securityService({ token, requestId }) };
  }

  const requireGone = (result: CallResult<unknown>) => {
    if (!result.ok && result.status !== 404) requireValue(result, "A credential could not be deleted");
  };

  async function takeBack(attempt: ImportAttempt): Promise<void> {
    const { registry, security } = await connect(attempt);
    for (const credentialId of attempt.credential_ids)
      requireGone(await security.deleteCredential({ params: { credentialId } }));
    requireValue(await registry.undoImport({ params: { importId: attempt.id } }), "An import could not be undone");
  }

  async function forget(attempt: ImportAttempt): Promise<void> {
    const { registry } = await connect(attempt);
    requireValue(await registry.forgetImport({ params: { importId: attempt.id } }), "An import could not be forgotten");
    await removeAttempt(db, attempt);
  }

  /** Ends an attempt that was claimed. */
  async function settle(attempt: ImportAttempt): Promise<void> {
    if (attempt.state === "made") return await forget(attempt);
    await takeBack(attempt);
    if (attempt.state === "undone") return await removeAttempt(db, attempt);
    const claimed_until = await later(suspensionMilliseconds);
    await changeAttempt(db, attempt, { state: "undone", claimed_until });
    log.warn({ importId: attempt.id }, "an import whose process ended was undone");
  }

  async function trySettling(attempt: ImportAttempt): Promise<void> {
    try {
      await withOrganization(attempt.organization_id, () => settle(attempt));
    } catch (error) {
      log.error({ err: error, importId: attempt.id, state: attempt.state }, "an import could not be ended");
      await hasten(attempt);
    }
  }

  /** Has it taken up again soon; the database may be away, and then it is when its claim ends. */
  async function hasten(attempt: ImportAttempt): Promise<void> {
    try {
      await changeAttempt(db, attempt, { claimed_until: await later(pauseMilliseconds) });
    } catch (error) {
      log.error({ err: error, importId: attempt.id }, "an import is ended later");
    }
  }

  async function settleNext(organizationId?: string): Promise<boolean> {
    const until = await later(undoingMilliseconds);
    const attempt = await claimAttempt(db, { organizationId, now: await readTime(), until });
    if (attempt) await trySettling(attempt);
    return attempt !== undefined;
  }

  /** Shows that this process works on it. @returns a function that ends this */
  function renew(attempt: ImportAttempt): () => Promise<void> {
    const stop = startPeriodicJob({
      ...{ intervalMilliseconds: renewalMilliseconds, log, failure: "an import could not be renewed" },
      work: async () => changeAttempt(db, attempt, { claimed_until: await later(claimMilliseconds) }),
    });
    renewals.add(stop);
    return async () => {
      renewals.delete(stop);
      await stop();
    };
  }

  const requireOwn = (isOwn: boolean) => {
    if (!isOwn)
      throw new Problem(
        "service_unavailable",
        "The import was interrupted, and undone. Nothing was imported: try again.",
      );
  };

  /** Waits until the organization has no other import under way, one of an ended process included. */
  async function begin(organizationId: string): Promise<OpenImport> {
    const start = performance.now();
    const making = { id: uuidv7(), organization_id: organizationId, state: "making" as const, credential_ids: [] };
    while (!(await insertAttempt(db, { ...making, claimed_until: await later(claimMilliseconds) }))) {
      if (performance.now() - start > maxWaitMilliseconds)
        throw new Problem("too_many_requests", "Another import of your organization is under way. Try again shortly.");
      if (!(await settleNext(organizationId))) await new Promise((resolve) => setTimeout(resolve, pollMilliseconds));
    }
    const attempt: ImportAttempt = { ...making, claimed_until: await later(claimMilliseconds) };
    const endRenewal = renew(attempt);
    let isPrepared = false;
    return {
      id: attempt.id,
      async prepare(credentialIds) {
        attempt.credential_ids = credentialIds;
        isPrepared = true;
        const claimed_until = await later(claimMilliseconds);
        requireOwn(await changeAttempt(db, attempt, { credential_ids: credentialIds, claimed_until }));
      },
      async complete(transaction) {
        requireOwn(await changeAttempt(transaction, attempt, { state: "made" }));
      },
      async forget() {
        await endRenewal();
        await trySettling({ ...attempt, state: "made" });
      },
      async undo() {
        await endRenewal();
        const undoing: ImportAttempt = { ...attempt, state: "undoing" };
        try {
          const claimed_until = await later(undoingMilliseconds);
          // Its transaction may have been committed, although the response was lost. Or it was taken for ended.
          if (!(await changeAttempt(db, attempt, { state: "undoing", claimed_until })))
            return await hasten({ ...attempt, state: "undone" });
          if (isPrepared) await takeBack(undoing);
          await removeAttempt(db, undoing);
        } catch (error) {
          log.error({ err: error, importId: attempt.id }, "a failed import is undone later");
          await hasten(undoing);
        }
      },
    };
  }

  return {
    begin,
    /** Starts to end imports whose processes ended. */
    start: () =>
      startPeriodicJob({
        ...{ intervalMilliseconds, immediately: true, log, failure: "imports could not be ended" },
        work: async (stopping) => {
          while (!stopping.aborted && (await settleNext()));
        },
      }),
    /** Imports under way give no sign of life any more. */
    async stop() {
      await Promise.all([...renewals].map((end) => end()));
    },
  };
}
