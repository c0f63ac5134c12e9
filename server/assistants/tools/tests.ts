import { z } from "zod";
import { href } from "../../../app/href.ts";
import { answerOrNone, requireAnswer } from "../assistant.ts";
import { count, cursor, defineTool, givenId, id, limit, nextCursor } from "../tool.ts";

const lastResult = z
  .object({ verdict: z.string().nullable(), state: z.string(), finishedAt: z.string().nullable() })
  .nullable()
  .describe("Of its last execution; null if it never ran");

export const listTests = defineTool({
  name: "list_tests",
  title: "List tests",
  description: "Tests of an API, optionally of one operation, each with its last verdict.",
  input: z.object({
    apiId: givenId,
    query: z.string().max(200).optional().describe("Words in name or path"),
    method: z.string().max(40).optional(),
    path: z.string().max(4_000).optional().describe("Path template of an operation"),
    limit,
    cursor,
  }),
  output: z.object({
    tests: z.array(
      z.object({
        id,
        name: z.string(),
        method: z.string(),
        path: z.string(),
        enabled: z.boolean(),
        tags: z.array(z.string()),
        updatedAt: z.string(),
        last: lastResult,
      }),
    ),
    total: z.number().optional(),
    nextCursor,
  }),
  async answer({ apiId, ...query }, { services }) {
    const page = requireAnswer(await services.testRegistry.listTests({ params: { apiId }, query }));
    const testIds = page.items.map((test) => test.id).join(",");
    const latest = testIds
      ? answerOrNone(await services.testExecutioner.listLatestExecutions({ query: { testIds } }))?.items
      : [];
    const last = (testId: string) => latest?.find((execution) => execution.testId === testId) ?? null;
    return {
      summary: `${count(page.total ?? page.items.length, "test")} found.`,
      data: { ...page, tests: page.items.map((test) => ({ ...test, last: last(test.id) })) },
    };
  },
});

const notices = z
  .object({
    state: z.string().describe("found, or why nothing is known"),
    changes: z.number().describe("Ways in which a recorded response was spoiled"),
    noticed: z.number().describe("Of them, those with which the test would have failed"),
    cannotFail: z.boolean(),
    missedChanges: z.array(z.object({ phrase: z.string() })),
  })
  .nullable();

export const readTest = defineTool({
  name: "read_test",
  title: "Read a test",
  description:
    "The whole definition of a test (request, assertions, checks, captures), its last results with their reasons, and what it would notice if a response were wrong.",
  input: z.object({ testId: givenId }),
  output: z.object({
    test: z.record(z.string(), z.unknown()).describe("As propose_test takes it, with id and version"),
    lastResults: z.array(
      z.object({
        executionId: id,
        runId: id,
        verdict: z.string().nullable(),
        reason: z.string().nullable(),
        finishedAt: z.string().nullable(),
      }),
    ),
    notices,
    page: z.string(),
  }),
  async answer({ testId }, { services, origin }) {
    const test = requireAnswer(await services.testRegistry.getTest({ params: { testId } }));
    const [executions, noticed] = await Promise.all([
      services.testExecutioner.listExecutions({ params: { testId }, query: { limit: 10 } }),
      services.testExecutioner.getTestNotices({ params: { testId } }),
    ]);
    const lastResults = (answerOrNone(executions)?.items ?? []).map((one) => ({ ...one, executionId: one.id }));
    return {
      summary: `The test is ${test.enabled ? "enabled" : "disabled"}, with ${count(test.assertions.length, "assertion")} and ${count(test.checks.length, "check")}.`,
      data: {
        test: { ...test },
        lastResults,
        notices: answerOrNone(noticed) ?? null,
        page: origin + href("/test-management/:apiId/tests/:testId/edit", { apiId: test.apiId, testId }),
      },
    };
  },
});
