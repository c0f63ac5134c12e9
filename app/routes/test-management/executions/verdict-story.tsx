import type { ExecutionComparison } from "#contracts/test-executioner/execution-comparisons.ts";
import type { Execution } from "#contracts/test-executioner/executions.ts";
import type { RunSummary } from "#contracts/test-executioner/runs.ts";
import { type SentFrom, SentFromWords } from "~/features/locations/sent-from";
import { runAddress } from "~/features/runs/run-address";
import { runTitle, triggerWords } from "~/features/runs/run-words";
import { getStatus, statusWords } from "~/features/verdict/verdict-words";
import { whyInWords } from "~/features/verdict/why-in-words";
import { plural } from "~/ui/count/plural";
import { Ago } from "~/ui/moment/ago";
import { Notice } from "~/ui/notice/notice";
import { SincePassed } from "./since-passed";

export interface VerdictStoryProps {
  execution: Execution;
  run: Pick<RunSummary, "id" | "source" | "counts"> & { environment: string | null };
  /** Undefined: from this portal. */
  sentFrom: SentFrom | undefined;
  /** Of the agent that ran it there. */
  agentName: string | undefined;
  /** For a failed execution. */
  since: ExecutionComparison | undefined;
  /** The reference time for "ago". */
  now: string;
}

/** The reason in one sentence, with time and place. */
export function VerdictStory({ execution, run, sentFrom, agentName, since, now }: VerdictStoryProps) {
  const { tone, icon } = statusWords[getStatus(execution)];
  const { apiId, startedAt, queuedAt, trigger, attemptCount } = execution;
  return (
    <Notice tone={tone} icon={icon} title={whyInWords(execution)}>
      {since && <SincePassed execution={execution} since={since} />}
      <p>
        {triggerWords[trigger]}, <Ago value={startedAt ?? queuedAt} now={now} />
        {run.environment && `, environment ${run.environment}`}
        {sentFrom && <SentFromWords locations={[sentFrom]} />}
        {agentName && ` by the agent ${agentName}`}
        {execution.isLate && ", stored by its agent while the portal was away"}
        {attemptCount > 1 && `, ${plural(attemptCount, "attempt")}`}, in{" "}
        <a href={runAddress(apiId, run)}>{runTitle(run)}</a>.
      </p>
    </Notice>
  );
}
