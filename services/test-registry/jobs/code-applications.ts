import type { Logger } from "pino";
import { Problem } from "#contracts/kit/problem.ts";
import type { Clock } from "../../kit/clock/clock.ts";
import { startPeriodicJob } from "../../kit/clock/periodic-job.ts";
import { withOrganization } from "../../kit/database/organization-scope.ts";
import type { Vault } from "../../kit/vault/vault.ts";
import {
  type ApplicationRow,
  type Counts,
  claimApplication,
  type PartName,
  partNames,
  removeEndedApplications,
  updateApplication,
} from "../store/code-applications.ts";
import type { TestDatabase } from "../store/tables.ts";
import type { PartDoors } from "./code-parts.ts";

export interface CodeApplicationParts {
  db: TestDatabase;
  clock: Clock;
  log: Logger;
  vault: Vault;
  doors: PartDoors;
  /** Called before each step, for tests that end a process there. */
  beforeStep?: (state: ApplicationRow["state"], step: number) => Promise<void>;
}

/** Longer than any step: no other process takes it up meanwhile. */
const claimMilliseconds = 5 * 60_000;
const pauseMilliseconds = 5_000;
const intervalMilliseconds = 2_000;
/** A step that fails as often for a reason of ours is given up, and the application is undone. */
const maxTries = 10;
const retentionMilliseconds = 90 * 24 * 60 * 60 * 1_000;
const reversed = [...partNames].reverse();

export const secretsContext = (organizationId: string, id: string) => ({
  organizationId,
  record: `code_operations/${id}`,
});

const plus = (one: Counts, changes: readonly { action: keyof Counts }[]): Counts => {
  const sum = { ...one };
  for (const { action } of changes) sum[action] += 1;
  return sum;
};

/** A refusal undoes the application; anything else is tried again. */
const isRefusal = (error: unknown): error is Problem =>
  error instanceof Problem && error.status < 500 && error.status !== 429;

/** Creates what completes applications, or undoes them, whatever ended meanwhile. */
export function createCodeApplications(parts: CodeApplicationParts) {
  const { db, clock, log, vault, doors } = parts;
  let waking: Promise<void> | undefined;
  let stopping = false;
  const later = (milliseconds: number) => new Date(clock.now().getTime() + milliseconds);
  const claim = () => ({ claimed_until: later(claimMilliseconds) });

  async function changePart(row: ApplicationRow, name: PartName, step: "changes" | "deletions") {
    const { id, organization_id: organizationId, repository, commit, work, sealed_secrets } = row;
    const { changes, kept, deletions } = work!.parts[name];
    const sent = step === "changes" ? changes : deletions;
    if (sent.length + (step === "changes" ? kept.length : 0) === 0) return row.done;
    const { references, documents, environments } = work!;
    const secrets = sealed_secrets ? JSON.parse(vault.open(sealed_secrets, secretsContext(organizationId, id))) : {};
    const response = await doors[name].change(
      { organizationId, requestId: id },
      {
        ...{ applicationId: id, mode: "apply", changes: sent, kept: step === "changes" ? kept : [] },
        ...{ references, documents, environments, secrets, provenance: { repository, commit } },
      },
    );
    const { errors } = response;
    if (errors.length > 0) throw new Problem("invalid_input", undefined, { errors });
    return plus(row.done, sent);
  }

  /** Does the next step of the application. @returns what is stored of it */
  async function takeStep(row: ApplicationRow): Promise<Partial<ApplicationRow>> {
    const { id, organization_id: organizationId, steps_done: step } = row;
    const of = { organizationId, requestId: id };
    if (row.state === "applying") {
      if (step === partNames.length) return { state: "deleting", steps_done: 0 };
      return { done: await changePart(row, partNames[step]!, "changes"), steps_done: step + 1 };
    }
    if (row.state === "deleting") {
      if (step === reversed.length) return await end(row, "applied");
      return { done: await changePart(row, reversed[step]!, "deletions"), steps_done: step + 1 };
    }
    if (step === reversed.length) return await end(row, "undone");
    await doors[reversed[step]!].undo(of, id);
    return { steps_done: step + 1 };
  }

  async function end({ id, organization_id: organizationId }: ApplicationRow, state: "applied" | "undone") {
    for (const name of partNames) await doors[name].forget({ organizationId, requestId: id }, id);
    log.info({ applicationId: id, state }, "files were applied or undone");
    return { state, ended_at: clock.now() };
  }

  function toUndoing(error: Problem): Partial<ApplicationRow> {
    const errors = error.extras.errors?.slice(0, 100) ?? [];
    const problem = { detail: error.detail, errors };
    return { state: "undoing", steps_done: 0, done: { create: 0, change: 0, delete: 0 }, problem, tries: 0 };
  }

  /** Undefined where the step has to be taken again later. */
  async function tryStep(row: ApplicationRow): Promise<Partial<ApplicationRow> | undefined> {
    try {
      return { tries: 0, ...(await withOrganization(row.organization_id, () => takeStep(row))) };
    } catch (error) {
      if (row.state === "applying" && isRefusal(error)) return toUndoing(error);
      log.error({ err: error, applicationId: row.id, state: row.state }, "a step of applying files failed");
      const isHopeless = row.state === "applying" && row.tries + 1 >= maxTries;
      if (isHopeless) return toUndoing(new Problem("internal_error"));
      await updateApplication(db, row.id, { tries: row.tries + 1, claimed_until: later(pauseMilliseconds) });
      return undefined;
    }
  }

  /** Works on one application until it has ended, or a step has to be taken again later. */
  async function work(signal: AbortSignal | undefined): Promise<boolean> {
    let row = await claimApplication(db, { now: clock.now(), until: claim().claimed_until });
    if (!row) return false;
    while (!signal?.aborted && !stopping) {
      await parts.beforeStep?.(row.state, row.steps_done);
      const change = await tryStep(row);
      if (!change) return true;
      row = { ...row, ...change };
      await updateApplication(db, row.id, { ...change, claimed_until: row.ended_at ? null : claim().claimed_until });
      if (row.ended_at) return true;
    }
    // Another process, or the next start, continues at once.
    await updateApplication(db, row.id, { claimed_until: null });
    return true;
  }

  async function workOnAll(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && (await work(signal)));
    await removeEndedApplications(db, later(-retentionMilliseconds));
  }

  return {
    /** Starts to work on a new application, without waiting for the next turn. */
    wake(): void {
      if (stopping) return;
      waking ??= work(undefined)
        .then(() => undefined)
        .catch((error: unknown) => log.error({ err: error }, "files could not be applied"))
        .finally(() => {
          waking = undefined;
        });
    },

    /** @returns a function that stops after the step that is under way */
    start() {
      const stop = startPeriodicJob({
        ...{ intervalMilliseconds, immediately: true, log, work: workOnAll },
        failure: "files could not be applied",
      });
      return async () => {
        stopping = true;
        await stop();
        await waking;
      };
    },
  };
}

export type CodeApplications = ReturnType<typeof createCodeApplications>;
