import type { Kysely } from "kysely";
import {
  type DatedPartition,
  dropPartition,
  listClasses,
  listDatedPartitions,
  listOfClass,
  otherTable,
  sortOutStep,
} from "../store/dated-details.ts";
import { deleteStep } from "../store/retention.ts";
import type { ExecutionTables } from "../store/tables.ts";

const dayMilliseconds = 86_400_000;

/** @returns the last key that it looked at; undefined at the end */
export type WalkStep = (after: string, limit: number) => Promise<string | undefined>;

export interface DatedRetention {
  db: Kysely<ExecutionTables>;
  now: Date;
  /** By organization. Those of others are not known, unless they are `unlimited`. */
  detailsDays: ReadonlyMap<string, number>;
  unlimited: ReadonlySet<string>;
  walk(step: WalkStep): Promise<void>;
}

/**
 * Drops days of details that are older than their retention. Rows of organizations whose retention has become longer since
 * are moved before; those of a retention that has become shorter are deleted one by one.
 */
export async function dropDatedDetails(parts: DatedRetention, stopping: AbortSignal): Promise<void> {
  const { db, now, detailsDays, walk } = parts;
  for (const days of await listClasses(db)) {
    const organizations = await listOfClass(db, days);
    const cutoffs = new Map(
      organizations.flatMap((id) => {
        const own = detailsDays.get(id);
        return own === undefined ? [] : [[id, new Date(now.getTime() - own * dayMilliseconds)] as const];
      }),
    );
    for (const partition of await listDatedPartitions(db)) {
      if (stopping.aborted) return;
      if (partition.days === days) await retainPartition(parts, partition, { organizations, cutoffs }, stopping);
    }
    const rest = { walked: "dated_details" as const, partition: otherTable(days), cutoffs };
    await walk((after, limit) => deleteStep(db, { ...rest, after, limit }));
  }
}

async function retainPartition(
  { db, now, unlimited, walk }: DatedRetention,
  { name, days, to }: DatedPartition,
  { organizations, cutoffs }: { organizations: string[]; cutoffs: ReadonlyMap<string, Date> },
  stopping: AbortSignal,
): Promise<void> {
  const isDue = (id: string) => (cutoffs.get(id)?.getTime() ?? 0) >= to.getTime();
  if (to.getTime() > now.getTime() - days * dayMilliseconds) {
    const doomed = organizations.filter(isDue);
    if (doomed.length > 0) await walk((after, limit) => sortOutStep(db, { name, doomed, kept: [], after, limit }));
    return;
  }
  if (organizations.some((id) => !cutoffs.has(id) && !unlimited.has(id))) return;
  const kept = organizations.filter((id) => !isDue(id));
  if (kept.length > 0) await walk((after, limit) => sortOutStep(db, { name, doomed: [], kept, after, limit }));
  if (!stopping.aborted) await dropPartition(db, name);
}
