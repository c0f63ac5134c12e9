import type { Reconciliation } from "#contracts/portal-service/reconciliations.ts";
import { Badge } from "~/ui/badge/badge";

/** Whether it is in progress, and its result. */
export function ReconciliationState({
  endedAt,
  differing,
  failed,
}: Pick<Reconciliation, "endedAt" | "differing" | "failed">) {
  if (endedAt === null) return <Badge tone="info">In progress</Badge>;
  if (differing + failed === 0) return <Badge tone="success">Nothing new</Badge>;
  return <Badge tone="warning">{differing > 0 ? "Differences" : "Not all compared"}</Badge>;
}
