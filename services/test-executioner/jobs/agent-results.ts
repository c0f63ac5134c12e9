import type { AgentResult } from "#contracts/test-executioner/agent-work.ts";
import type { KnownSecret } from "#libraries/redaction/patterns.ts";
import { secretsOf } from "#libraries/running/captured-secrets.ts";
import type { Hiding } from "#libraries/running/hiding/hiding.ts";
import type { OpenCredentials } from "#libraries/running/lookups.ts";
import type { TestResult } from "#libraries/running/test-to-run.ts";
import type { Clock } from "../../kit/clock/clock.ts";
import { isCookieJar } from "../domain/cookie-jar.ts";
import type { AgentsExecution } from "../store/agent-claims.ts";
import type { PublishFinished } from "../store/finished-runs.ts";
import type { ExecutionDatabase } from "../store/tables.ts";
import type { CaptureSeal } from "./capture-seal.ts";
import { concludeExecution } from "./execution-run.ts";
import type { WriteResult } from "./result-writer.ts";
import type { NoteCertificate } from "./seen-certificates.ts";
import type { ExecutionTask } from "./snapshots.ts";

export interface TakingParts {
  db: ExecutionDatabase;
  publishFinished: PublishFinished;
  clock: Clock;
  seal: CaptureSeal;
  hiding: Hiding;
  openCredentials: OpenCredentials;
  noteCertificate: NoteCertificate;
  writeResult: WriteResult;
}

/** An execution that an agent holds, and what it reports of it. */
export interface Reported {
  task: ExecutionTask;
  execution: AgentsExecution;
  given: AgentResult;
}

/**
 * Stores what an agent reports, as if a worker had run it.
 * @returns whether it was written
 */
export async function takeResult(parts: TakingParts, { task, execution, given }: Reported): Promise<boolean> {
  const result = await hideAgain(parts, task, { ...given, finishedAt: limitEnd(parts.clock.now(), execution, given) });
  for (const { response } of result.attempts) if (response) parts.noteCertificate(execution, response);
  const { isWritten } = await parts.writeResult({
    result: concludeExecution(parts, task, result),
    isHeld: () => true,
    isUrgent: true,
  });
  return isWritten;
}

/** An agent's clock may be wrong: nothing ends before it started, or later than now. */
function limitEnd(now: Date, { started_at: startedAt }: AgentsExecution, { finishedAt }: AgentResult): Date {
  const latest = Math.min(Date.parse(finishedAt), now.getTime());
  return new Date(Math.max(latest, startedAt.getTime()));
}

/** The agent has replaced secrets already; those that the portal knows are replaced here, whatever the agent did. */
async function hideAgain(
  { hiding, seal, openCredentials }: TakingParts,
  { execution, run, captures: known }: ExecutionTask,
  { executionId: _, fence: __, ...given }: Omit<AgentResult, "finishedAt"> & { finishedAt: Date },
): Promise<TestResult> {
  const opened = known.map((capture) => seal.open(execution, capture, run.onlyOwn?.unique));
  const captured = [...opened, ...given.captures].filter((capture) => capture.isSecret && !isCookieJar(capture));
  const { items } = given.host
    ? await openCredentials(execution.organization_id, given.host, { kind: "inherit" })
    : { items: [] };
  const secrets: KnownSecret[] = [
    ...captured.flatMap(({ value }) => secretsOf(value)),
    ...items
      .filter(({ type, secret }) => type !== "mutualTls" && secret !== "")
      .map(({ secret, settings }) => ({ secret, username: settings.username })),
  ];
  const { attempts, verifications } = given;
  const hidden = await hiding.hide(
    {
      tries: attempts.map((attempt, index) => ({
        attempt,
        verifications: index === attempts.length - 1 ? verifications : [],
      })),
      captured: {},
      filledAssertions: [],
    },
    secrets,
  );
  return {
    ...given,
    attempts: hidden.tries.map(({ attempt }) => attempt),
    verifications: hidden.tries.at(-1)?.verifications ?? verifications,
  };
}
