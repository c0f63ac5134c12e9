import { sql } from "kysely";
import type { Executor } from "../../kit/database/database.ts";
import type { Verdict } from "../contract/verdicts.ts";
import { type ExecutionTables, table } from "./tables.ts";

interface Subject {
  organization_id: string;
  test_id: string;
  row_index: number | null;
}

const keyOf = ({ organization_id, test_id, row_index }: Subject) =>
  `${organization_id} ${test_id} ${row_index === null ? 0 : row_index + 1}`;

/** How tests ended the time before; to be read before the results at hand are stored. */
export async function readLastVerdicts(
  db: Executor<ExecutionTables>,
  subjects: Subject[],
): Promise<(subject: Subject) => Verdict | null> {
  if (subjects.length === 0) return () => null;
  const { rows } = await sql<{ key: string; verdict: Verdict }>`
    select organization_id || ' ' || test_id || ' ' || data_row as key, verdict from ${table("last_verdicts")}
    where organization_id = any(${[...new Set(subjects.map((one) => one.organization_id))]}::uuid[])
      and test_id = any(${[...new Set(subjects.map((one) => one.test_id))]}::uuid[])`.execute(db);
  const verdicts = new Map(rows.map(({ key, verdict }) => [key, verdict]));
  return (subject) => verdicts.get(keyOf(subject)) ?? null;
}
