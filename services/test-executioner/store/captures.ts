import { type QueryExecutorProvider, sql } from "kysely";
import type { CapturedType } from "#contracts/test-analyzer/verifications.ts";
import type { Executor } from "../../kit/database/database.ts";
import { prepared } from "../../kit/database/prepared.ts";
import { type ExecutionTables, table } from "./tables.ts";

/** As stored: sealed if secret. */
export interface CapturedValue {
  name: string;
  isSecret: boolean;
  value: string;
  /** Absent for text that has no JSON type. */
  type?: CapturedType;
  /** Origin where the run made what it identifies. */
  madeAt?: string;
  /** Of the member that captured it, 0 for what was known at the start; absent for one that was just captured. */
  position?: number;
}

interface Capturing {
  execution: { run_id: string; organization_id: string; position: number };
  captures: CapturedValue[];
}

/**
 * Stores members' captures for later ones of the same place. For the same name, the later member's wins.
 * @param getSeries of several places, from 0
 */
export async function storeCaptures<Member extends Capturing>(
  db: QueryExecutorProvider,
  members: readonly Member[],
  getSeries: (member: Member) => number,
): Promise<void> {
  const found = new Map<string, { member: Capturing["execution"]; series: number; capture: CapturedValue }>();
  const inOrder = [...members].sort((a, b) => a.execution.position - b.execution.position);
  for (const member of inOrder) {
    const { execution } = member;
    const series = getSeries(member);
    for (const capture of member.captures) {
      found.set(`${execution.run_id} ${series} ${capture.name}`, { member: execution, series, capture });
    }
  }
  const rows = [...found.values()];
  if (rows.length === 0) return;
  await sql`${prepared("store_captures")}
    insert into ${table("run_captures")} as known (run_id, series, name, organization_id, position, is_secret, value, type, made_at)
    select * from unnest(
      ${rows.map(({ member }) => member.run_id)}::uuid[],
      ${rows.map(({ series }) => series)}::smallint[],
      ${rows.map(({ capture }) => capture.name)}::text[],
      ${rows.map(({ member }) => member.organization_id)}::uuid[],
      ${rows.map(({ member, capture }) => capture.position ?? member.position)}::int[],
      ${rows.map(({ capture }) => capture.isSecret)}::bool[],
      ${rows.map(({ capture }) => capture.value)}::text[],
      ${rows.map(({ capture }) => capture.type ?? null)}::text[],
      ${rows.map(({ capture }) => capture.madeAt ?? null)}::text[]
    )
    on conflict (run_id, series, name) do update set
      position = excluded.position, is_secret = excluded.is_secret,
      value = excluded.value, type = excluded.type, made_at = excluded.made_at`.execute(db);
}

export interface StoredCapture extends CapturedValue {
  position: number;
  /** Of several places, from 0. */
  series: number;
}

/** Captures so far, by run, in the order of the members. */
export async function loadCaptures(
  db: Executor<ExecutionTables>,
  runIds: string[],
): Promise<Map<string, StoredCapture[]>> {
  const rows = await db
    .selectFrom("run_captures")
    .select(["run_id", "series", "name", "position", "is_secret", "value", "type", "made_at"])
    .where("run_id", "=", sql<string>`any(${runIds}::uuid[])`)
    .orderBy("series")
    .orderBy("position")
    .orderBy("name")
    .execute();
  const captures = new Map<string, StoredCapture[]>();
  for (const { run_id, series, name, position, is_secret, value, type, made_at } of rows) {
    const own = captures.get(run_id) ?? [];
    const made = made_at === null ? {} : { madeAt: made_at };
    own.push({ name, position, series, isSecret: is_secret, value, ...(type === null ? {} : { type }), ...made });
    captures.set(run_id, own);
  }
  return captures;
}
