import type { testAnalyzerContract } from "#contracts/test-analyzer/contract.ts";
import type { JudgeInput, Judgement } from "#contracts/test-analyzer/verifications.ts";
import type { KnownSecret } from "#libraries/redaction/patterns.ts";
import { Batcher, KeyedBatchers } from "../../kit/batcher/batcher.ts";
import { type Connect, requireAnswer } from "../../kit/client/client.ts";
import type { IssueServiceToken } from "../../kit/identity/identity.ts";

export interface JudgeRequest extends JudgeInput {
  /** What is not to be shown in what is said of the request and its answer. */
  secrets: KnownSecret[];
  organizationId: string;
  apiId: string;
  method: string;
  path: string;
  /** Not to wait for others. */
  isUrgent: boolean;
}

export type Judge = (request: JudgeRequest) => Promise<Judgement>;

const mostBytes = 8 * 1_024 * 1_024;

/** Judges what finishes at about the same time in one call an API. */
export function createJudge(
  testAnalyzer: Connect<typeof testAnalyzerContract>,
  serviceToken: IssueServiceToken,
): Judge {
  async function ask(requests: JudgeRequest[]): Promise<Judgement[]> {
    const { organizationId, apiId } = requests[0]!;
    const client = testAnalyzer({ token: await serviceToken(organizationId) });
    const operations: Record<string, NonNullable<JudgeInput["operation"]>> = {};
    const items = requests.map(({ organizationId: _, apiId: __, isUrgent: ___, method, path, operation, ...item }) => {
      if (!operation) return item;
      const operationKey = `${method.toUpperCase()} ${path}`;
      operations[operationKey] = operation;
      return { ...item, operationKey };
    });
    const answer = await client.judgeExecutions({ body: { apiId, operations, items } });
    if (answer.ok || answer.status >= 500) return requireAnswer(answer, "Responses could not be judged").items;
    if (requests.length > 1) return (await Promise.all(requests.map((request) => ask([request])))).flat();
    const cause = { code: "not_judged", detail: `The response could not be judged: ${answer.problem.detail}` };
    return [{ verdict: "errored", cause, verifications: [], captured: {} }];
  }
  const batchers = new KeyedBatchers<JudgeRequest, Judgement>(
    () =>
      new Batcher({
        mostItems: 100,
        weigh: ({ response, request }) => (response.body?.length ?? 0) + (request.body?.length ?? 0) + 2_000,
        mostWeight: mostBytes,
        lingerMilliseconds: 20,
        run: ask,
      }),
  );
  return (request) => batchers.for(`${request.organizationId} ${request.apiId}`).add(request, request.isUrgent);
}
