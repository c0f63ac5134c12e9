import type { ExplorationSummary } from "#contracts/test-executioner/explorations.ts";
import { findingWords } from "~/features/explorations/exploration-words";
import { LinkButton } from "~/ui/button/button";
import { formatCount } from "~/ui/count/format-count";
import { Row } from "~/ui/layout/layout";
import { Progress } from "~/ui/progress/progress";

export interface ExplorationProgressProps {
  exploration: Pick<ExplorationSummary, "state" | "requests" | "findings" | "input">;
  /** How many findings the page displays. */
  displayed: number;
  eventsHref: string;
  refreshHref: string;
}

/** How far an exploration is. Without script the link shows the current state; with script it follows on its own. */
export function ExplorationProgress({ exploration, displayed, refreshHref }: ExplorationProgressProps) {
  const { state, requests, findings, input } = exploration;
  const sent = `${formatCount(requests)} of at most ${formatCount(input.maxRequests)}`;
  const more = findings - displayed;
  return (
    <Row gap="medium">
      <Progress
        id="exploration-progress"
        label={state === "queued" ? "Queued" : "Requests sent"}
        value={requests}
        max={input.maxRequests}
        valueText={`${sent}, ${findingWords(findings)}`}
      />
      <LinkButton href={refreshHref} size="small" icon="refresh">
        {more > 0 ? `Show ${more.toLocaleString("en")} more` : "Refresh"}
      </LinkButton>
    </Row>
  );
}
