import type { Transaction } from "kysely";
import { findPlans } from "../../kit/plan/plan-table.ts";
import { explainNoQuota } from "./plan-quota.ts";
import { type NewRun, toWanted } from "./runs.ts";
import { type ExecutionTables, schemaName } from "./tables.ts";

/** The runs that no longer fit their organizations' plans, and why; each uses what those before it leave. */
export async function listFull(
  transaction: Transaction<ExecutionTables>,
  runs: NewRun[],
): Promise<Map<string, string>> {
  const known = await findPlans(transaction, schemaName, [...new Set(runs.map((run) => run.organizationId))]);
  const taken = new Map<string, number>();
  const full = new Map<string, string>();
  for (const run of runs) {
    const wanted = toWanted(run);
    const executions = wanted.executions + (taken.get(run.organizationId) ?? 0);
    const noQuota = explainNoQuota(known.get(run.organizationId), { ...wanted, executions });
    if (noQuota) full.set(run.id, noQuota.detail);
    else taken.set(run.organizationId, executions);
  }
  return full;
}
