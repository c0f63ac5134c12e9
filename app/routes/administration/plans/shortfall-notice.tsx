import type { OperatedPlan } from "#contracts/portal-service/operated-plans.ts";
import { shortfallWords } from "~/features/plans/plan-words";
import { Notice } from "~/ui/notice/notice";

/** Warns of a plan whose executions are too few for all of its tests at its shortest interval. */
export function ShortfallNotice({ limits }: Pick<OperatedPlan, "limits">) {
  const words = shortfallWords(limits);
  if (!words) return null;
  return (
    <Notice tone="warning" title="Too few executions for all tests at the shortest interval">
      {words}
    </Notice>
  );
}
