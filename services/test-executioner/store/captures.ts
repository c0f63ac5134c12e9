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

/** Stores members' captures for later ones. For the same name, the later member's wins. */
export async function storeCaptures(
  db: QueryExecutorProvider,
  members: { execution: { run_id: string; organization_id: string; position: number }; captures: CapturedValue[] }[],
): Promise<void> {
  const found = new Map<string, { member: (typeof members)[number]["execution"]; capture: CapturedValue }>();
  const inOrder = [...members].sort((a, b) => a.execution.position - b.execution.position);
  for (const { execution, captures } of inOrder) {
    for (const capture of captures) found.set(`${execution.run_id} ${capture.name}`, { member: execution, capture });
  }
  const rows = [...found.values()];
  if (rows.length === 0) return;
  await sql`${prepared("store_captures")}
    insert into ${table("run_captures")} as known (run_id, name, organization_id, position, is_secret, value, type, made_at)
    select * from unnest(
      ${rows.map(({ member }) => member.run_id)}::uuid[],
      ${rows.map(({ capture }) => capture.name)}::text[],
      ${rows.map(({ member }) => member.organization_id)}::uuid[],
      ${rows.map(({ member, capture }) => capture.position ?? member.position)}::int[],
      ${rows.map(({ capture }) => capture.isSecret)}::bool[],
      ${rows.map(({ capture }) => capture.value)}::text[],
      ${rows.map(({ capture }) => capture.type ?? null)}::text[],
      ${rows.map(({ capture }) => capture.madeAt ?? null)}::text[]
    )
    on conflict (run_id, name) do update set
      position = excluded.position, is_secret = excluded.is_secret,
      value = excluded.value, type = excluded.type, made_at = excluded.made_at`.execute(db);
}

export interface StoredCapture extends CapturedValue {
  position: number;
}

/** Captures so far, by run, in the order of the members. */
export async function loadCaptures(
  db: Executor<ExecutionTables>,
  runIds: string[],
): Promise<Map<string, StoredCapture[]>> {
  const rows = await db
    .selectFrom("run_captures")
    .select(["run_id", "name", "position", "is_secret", "value", "type", "made_at"])
    .where("run_id", "=", sql<string>`any(${runIds}::uuid[])`)
    .orderBy("position")
    .orderBy("name")
    .execute();
  const captures = new Map<string, StoredCapture[]>();
  for (const { run_id, name, position, is_secret, value, type, made_at } of rows) {
    const own = captures.get(run_id) ?? [];
    const made = made_at === null ? {} : { madeAt: made_at };
    own.push({ name, position, isSecret: is_secret, value, ...(type === null ? {} : { type }), ...made });
    captures.set(run_id, own);
  }
  return captures;
}
