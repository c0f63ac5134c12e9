import type { Verdict } from "#contracts/test-executioner/verdicts.ts";
import { required } from "~/backend/responses";
import { failedCount } from "~/features/runs/run-words";
import { isUnfinished } from "~/features/verdict/verdict-words";
import type { Viewer } from "~/session/guards";

interface Shown {
  verdict: Verdict | undefined;
  cursor: string | undefined;
  failuresAfter: string | undefined;
}

const onPage = 100;

/**
 * A run; once it has ended and failed, also a page of its failed members, which are then left out of the members.
 * During a run members keep changing state, so they stay together.
 */
export async function findRunWithFailures(
  { backend: { testExecutioner } }: Viewer,
  runId: string,
  { verdict, cursor, failuresAfter }: Shown,
) {
  const params = { runId };
  const limit = onPage;
  const stored = verdict ? { verdict } : { failing: "whileUnfinished" as const };
  const run = required(await testExecutioner.getRun({ params, query: { ...stored, limit, cursor } }));
  if (isUnfinished(run) || failedCount(run.counts) === 0) return { run, failures: undefined };
  const query = { limit, cursor: failuresAfter };
  return { run, failures: required(await testExecutioner.listRunFailures({ params, query })) };
}
