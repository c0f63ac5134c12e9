import type { ExplorationSummary } from "#contracts/test-executioner/explorations.ts";
import { endingWords, hasEnded, sentWords, stateWords } from "~/features/explorations/exploration-words";
import { Badge } from "~/ui/badge/badge";
import { Button } from "~/ui/button/button";
import { plural } from "~/ui/count/plural";
import { Stack } from "~/ui/layout/layout";
import { Ago } from "~/ui/moment/ago";
import { Notice } from "~/ui/notice/notice";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { formatMilliseconds } from "~/ui/plot/waterfall";

export interface ExplorationHeadingProps {
  exploration: ExplorationSummary;
  mayRun: boolean;
  /** When the page was rendered. */
  now: string;
}

/** What an exploration is, how it ended, and what can be done with it. */
export function ExplorationHeading({ exploration, mayRun, now }: ExplorationHeadingProps) {
  const { state, message } = exploration;
  const { word, tone } = stateWords[state];
  return (
    <Stack>
      <PageHeading
        title="Exploration"
        mark={<Badge tone={tone}>{word}</Badge>}
        description={<Description exploration={exploration} now={now} />}
        actions={mayRun && <ExplorationActions exploration={exploration} />}
      />
      {message && (
        <Notice tone="danger" title="This exploration failed">
          {message}
        </Notice>
      )}
    </Stack>
  );
}

function Description({ exploration, now }: Pick<ExplorationHeadingProps, "exploration" | "now">) {
  const { createdAt, startedAt, finishedAt, input } = exploration;
  const { environment, seed, changes, requestsPerSecond } = input;
  const took = startedAt && formatMilliseconds(Date.parse(finishedAt ?? now) - Date.parse(startedAt));
  const sentences = [
    hasEnded(exploration) && `${sentWords(exploration)} in ${took ?? "no time"}.`,
    endingWords(exploration),
    `Seed ${seed}, at most ${plural(requestsPerSecond, "request")} a second.`,
    changes ? "It changes only what it created itself." : "It uses safe methods only.",
  ];
  return (
    <>
      Started <Ago value={startedAt ?? createdAt} now={now} />
      {environment !== null && `, environment ${environment}`}. {sentences.filter(Boolean).join(" ")}
    </>
  );
}

function ExplorationActions({ exploration }: Pick<ExplorationHeadingProps, "exploration">) {
  return (
    <form method="post">
      {hasEnded(exploration) ? (
        <Button name="intent" value="again" icon="refresh">
          Start again with the same seed
        </Button>
      ) : (
        <Button name="intent" value="cancel" icon="close">
          Cancel
        </Button>
      )}
    </form>
  );
}
