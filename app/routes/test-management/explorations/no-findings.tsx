import type { ExplorationSummary } from "#contracts/test-executioner/explorations.ts";
import { hasEnded, sentWords } from "~/features/explorations/exploration-words";
import { EmptyState } from "~/ui/empty-state/empty-state";

/** Says that nothing was found, or that nothing has been found so far. */
export function NoFindings({ exploration }: { exploration: ExplorationSummary }) {
  if (!hasEnded(exploration)) return <EmptyState title="Nothing found yet" />;
  if (exploration.requests === 0) return <EmptyState title="Nothing was sent" />;
  return <EmptyState title={`No problems found in ${sentWords(exploration)}`} />;
}
