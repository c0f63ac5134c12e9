import type { Kysely } from "kysely";
import type { Logger } from "pino";
import { type Connect, requireAnswer } from "../../kit/client/client.ts";
import type { IssueServiceToken } from "../../kit/identity/identity.ts";
import type { Job } from "../../kit/queue/job.ts";
import type { Queue } from "../../kit/queue/queue.ts";
import type { testAnalyzerContract } from "../../test-analyzer/contract/contract.ts";
import { listStandings } from "../store/executions.ts";
import { storeResults } from "../store/results.ts";
import type { ExecutionTables } from "../store/tables.ts";
import { Batcher } from "./batcher.ts";
import type { RunOutcome } from "./execution-run.ts";
import type { Progress } from "./progress.ts";

export interface WriteRequest extends RunOutcome {
  job: Pick<Job, "id" | "attempt">;
  isHeld(): boolean;
}

/** Answers whether the result was written; false when the execution is gone or another worker's. */
export type WriteResult = (request: WriteRequest) => Promise<boolean>;

export interface ResultWriterParts {
  db: Kysely<ExecutionTables>;
  queue: Queue;
  queueName: string;
  testAnalyzer: Connect<typeof testAnalyzerContract>;
  serviceToken: IssueServiceToken;
  progress: Progress;
  log: Logger;
}

const mostTries = 3;

/**
 * Stores results in batches: one transaction for everything that ended while the one before was written.
 * Verifications are recorded first. Recording replaces what it finds, so a process that dies between the two repeats
 * both; a finished execution always has its verifications.
 */
export function createResultWriter(parts: ResultWriterParts): WriteResult {
  const batcher = new Batcher<WriteRequest, boolean>({
    mostItems: 200,
    weigh: ({ result }) =>
      result.attempts.reduce((sum, { response }) => sum + (response?.body?.length ?? 0) + 2_000, 0),
    mostWeight: 16 * 1_024 * 1_024,
    lingerMilliseconds: 2,
    async run(requests) {
      // A worker that was frozen beyond its lease must not even record: its successor may have by now.
      const held = requests.filter(({ isHeld }) => isHeld());
      await record(parts, held);
      const written = held.length > 0 ? await store(parts, held) : new Set<string>();
      await forgetDeleted(
        parts,
        held.filter(({ result }) => !written.has(result.execution.id)),
      );
      parts.progress.publish(
        held
          .filter(({ result }) => written.has(result.execution.id))
          .map(({ result: { execution } }) => ({
            organizationId: execution.organization_id,
            apiId: execution.api_id,
            testId: execution.test_id,
            executionId: execution.id,
            ended: true,
          })),
      );
      return requests.map(({ result }) => written.has(result.execution.id));
    },
  });
  return (request) => batcher.add(request);
}

async function store({ db, queue, queueName, log }: ResultWriterParts, requests: WriteRequest[]): Promise<Set<string>> {
  for (let number = 1; ; number += 1) {
    try {
      return await db.transaction().execute(async (transaction) => {
        const written = await storeResults(
          transaction,
          requests.map(({ result }) => result),
        );
        const jobs = requests.filter(({ result }) => written.has(result.execution.id)).map(({ job }) => job);
        await queue.complete(transaction, queueName, jobs);
        return written;
      });
    } catch (error) {
      if (number >= mostTries) throw error;
      log.warn({ err: error, results: requests.length }, "results could not be stored, trying again");
      await new Promise((resolve) => setTimeout(resolve, 100 * number));
    }
  }
}

/** What was deleted while it ran was recorded a moment ago; another worker's execution keeps its records. */
async function forgetDeleted(parts: ResultWriterParts, unwritten: WriteRequest[]): Promise<void> {
  for (const [organizationId, requests] of groupByOrganization(unwritten)) {
    const ids = requests.map(({ result }) => result.execution.id);
    const standing = new Set((await listStandings(parts.db, organizationId, ids)).map(({ id }) => id));
    const executionIds = ids.filter((id) => !standing.has(id));
    if (executionIds.length === 0) continue;
    const client = parts.testAnalyzer({ token: await parts.serviceToken(organizationId) });
    requireAnswer(await client.forgetExecutions({ body: { executionIds } }), "Records could not be deleted");
  }
}

function groupByOrganization(requests: WriteRequest[]): Map<string, WriteRequest[]> {
  const groups = new Map<string, WriteRequest[]>();
  for (const request of requests) {
    const { organization_id: organizationId } = request.result.execution;
    const known = groups.get(organizationId);
    if (known) known.push(request);
    else groups.set(organizationId, [request]);
  }
  return groups;
}

async function record({ testAnalyzer, serviceToken, log }: ResultWriterParts, requests: WriteRequest[]): Promise<void> {
  await Promise.all(
    [...groupByOrganization(requests)].map(async ([organizationId, own]) => {
      const client = testAnalyzer({ token: await serviceToken(organizationId) });
      const send = async (some: WriteRequest[]): Promise<void> => {
        const answer = await client.recordExecutions({ body: { items: some.map(toRecord) } });
        if (answer.ok || answer.status >= 500) {
          requireAnswer(answer, "Verifications could not be recorded");
          return;
        }
        if (some.length > 1) {
          for (const one of some) await send([one]);
          return;
        }
        log.error({ executionId: some[0]!.result.execution.id, code: answer.problem.code }, "verifications refused");
      };
      await send(own);
    }),
  );
}

function toRecord({ result, verifications }: WriteRequest) {
  const { execution, verdict, statusCode, responseMilliseconds, finishedAt } = result;
  return {
    executionId: execution.id,
    testId: execution.test_id,
    testName: execution.test_name,
    apiId: execution.api_id,
    method: execution.method,
    path: execution.path,
    verdict,
    statusCode,
    responseMilliseconds,
    finishedAt: finishedAt.toISOString(),
    verifications,
  };
}
