import type { Verdict } from "#contracts/test-executioner/verdicts.ts";
import { required } from "~/backend/answers";
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
 * A run, and of one that has ended and failed a page of what did, which its members then leave out. While a run goes on
 * its members change from the one to the other, and stay together.
 */
export async function findRunWithFailures(
  { backend: { testExecutioner } }: Viewer,
  runId: string,
  { verdict, cursor, failuresAfter }: Shown,
) {
  const params = { runId };
  const limit = onPage;
  const kept = verdict ? { verdict } : { failing: "whileUnfinished" as const };
  const run = required(await testExecutioner.getRun({ params, query: { ...kept, limit, cursor } }));
  if (isUnfinished(run) || failedCount(run.counts) === 0) return { run, failures: undefined };
  const query = { limit, cursor: failuresAfter };
  return { run, failures: required(await testExecutioner.listRunFailures({ params, query })) };
}
