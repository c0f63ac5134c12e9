import { required } from "~/backend/answers";
import type { Viewer } from "~/session/guards";
import { isUnfinished } from "~/verdict/verdict-words";
import type { Verdict } from "../../../../services/test-executioner/contract/verdicts.ts";

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
  const others = { limit, cursor, ...(verdict ? { verdict } : { failing: "false" as const }) };
  const [run, failures] = await Promise.all([
    testExecutioner.getRun({ params, query: others }).then(required),
    testExecutioner.listRunFailures({ params, query: { limit, cursor: failuresAfter } }).then(required),
  ]);
  if (!isUnfinished(run)) return { run, failures: failures.items.length > 0 ? failures : undefined };
  const query = { limit, cursor, verdict };
  return { run: required(await testExecutioner.getRun({ params, query })), failures: undefined };
}
