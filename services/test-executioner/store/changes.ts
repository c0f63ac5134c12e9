import type { QueryExecutorProvider } from "kysely";
import { notify } from "../../kit/database/notifications.ts";

/** Notified when executions may be claimed: `<organization>`, or `<organization>@<location>`, separated by spaces. */
export const workChannel = "executions_waiting";
/** Notified when runs have changed: `<run>:<api>` separated by spaces. */
export const changeChannel = "runs_changed";
/** Notified when runs have ended: their ids separated by spaces. */
export const endChannel = "runs_ended";

export async function notifyChanges(
  db: QueryExecutorProvider,
  executions: { run_id: string; api_id: string }[],
): Promise<void> {
  if (executions.length === 0) return;
  const hints = [...new Set(executions.map(({ run_id, api_id }) => `${run_id}:${api_id}`))];
  await notify(db, changeChannel, hints.join(" "));
}

export async function notifyEnds(db: QueryExecutorProvider, runs: { id: string }[]): Promise<void> {
  if (runs.length > 0) await notify(db, endChannel, runs.map(({ id }) => id).join(" "));
}

/** Whose executions wait, and where agents are to run them. */
export interface Waiting {
  organization_id: string;
  location_id: string | null;
}

export async function notifyWork(db: QueryExecutorProvider, executions: readonly Waiting[]): Promise<void> {
  if (executions.length === 0) return;
  const words = executions.map(({ organization_id, location_id }) =>
    location_id === null ? organization_id : `${organization_id}@${location_id}`,
  );
  await notify(db, workChannel, [...new Set(words)].join(" "));
}

/** Organizations by location, the portal's own at null. Undefined if anyone's may wait. */
export function readWork(payload: string | undefined): Map<string | null, Set<string>> | undefined {
  if (!payload) return undefined;
  const work = new Map<string | null, Set<string>>();
  for (const word of payload.split(" ")) {
    const [organizationId = "", location = null] = word.split("@");
    work.set(location, (work.get(location) ?? new Set()).add(organizationId));
  }
  return work;
}

/** Undefined if anything may have changed. */
export function readChanges(payload: string | undefined): Map<string, Set<string>> | undefined {
  if (!payload) return undefined;
  const changes = new Map<string, Set<string>>();
  for (const hint of payload.split(" ")) {
    const [runId = "", apiId = ""] = hint.split(":");
    changes.set(runId, (changes.get(runId) ?? new Set()).add(apiId));
  }
  return changes;
}

/** Undefined if any run may have ended. */
export function readEnds(payload: string | undefined): Set<string> | undefined {
  return payload ? new Set(payload.split(" ")) : undefined;
}
