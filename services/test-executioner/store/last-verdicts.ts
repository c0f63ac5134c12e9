import { type QueryExecutorProvider, sql } from "kysely";
import type { Verdict } from "#contracts/test-executioner/verdicts.ts";
import { prepared } from "../../kit/database/prepared.ts";
import { table } from "./tables.ts";

interface Subject {
  organization_id: string;
  test_id: string;
  row_index: number | null;
}

const toDataRow = ({ row_index }: Subject) => (row_index === null ? 0 : row_index + 1);
const toKey = (one: Subject) => `${one.organization_id} ${one.test_id} ${toDataRow(one)}`;

/** Tests' previous verdicts; to be read before the current results are stored. */
export async function readLastVerdicts(
  db: QueryExecutorProvider,
  subjects: Subject[],
): Promise<(subject: Subject) => Verdict | null> {
  if (subjects.length === 0) return () => null;
  const { rows } = await sql<{ key: string; verdict: Verdict }>`${prepared("read_last_verdicts")}
    select organization_id || ' ' || test_id || ' ' || data_row as key, verdict
    from unnest(
      ${subjects.map((one) => one.organization_id)}::uuid[],
      ${subjects.map((one) => one.test_id)}::uuid[],
      ${subjects.map(toDataRow)}::int[]
    ) as asked(organization_id, test_id, data_row)
    join ${table("last_verdicts")} using (organization_id, test_id, data_row)`.execute(db);
  const verdicts = new Map(rows.map(({ key, verdict }) => [key, verdict]));
  return (subject) => verdicts.get(toKey(subject)) ?? null;
}
