import { uuidv7 } from "uuidv7";
import type { z } from "zod";
import { testExecutionerContract } from "#contracts/test-executioner/contract.ts";
import type { runFinished } from "#contracts/test-executioner/events.ts";
import type { Failure, TestHistory } from "#contracts/test-executioner/histories.ts";
import type { RunTrigger } from "#contracts/test-executioner/verdicts.ts";
import { connectTo } from "../../kit/client/client.ts";
import type { Clock } from "../../kit/clock/clock.ts";

export interface KnownTest {
  id: string;
  name: string;
  apiId: string;
  apiName?: string;
  tags?: string[];
  environmentUsed?: string;
}

/** The result of a test in a run: undefined when it passed. */
export type Came = Partial<Failure> | undefined;

interface KnownRun {
  id: string;
  organizationId: string;
  testCircleId: string | null;
  isWhole: boolean;
  finishedAt: Date;
  results: Map<KnownTest, Came>;
}

export const failed: Partial<Failure> = { verdict: "failed", statusCode: 503, reason: "Expected 200, got 503." };
export const refused: Partial<Failure> = {
  ...{ verdict: "errored", statusCode: null, causeCode: "connection_refused", reason: "The connection was refused." },
};

/** A fake executioner that knows the runs it is given, and responds like the real one. */
export function createReportedRuns(clock: Clock) {
  const runs: KnownRun[] = [];
  let isAway = false;
  let beforeNextResponse: (() => Promise<void>) | undefined;

  function getHistory(test: KnownTest, run: KnownRun): TestHistory {
    const own = runs.filter(
      (one) =>
        one.organizationId === run.organizationId && one.testCircleId === run.testCircleId && one.results.has(test),
    );
    const results = own.slice(-20).map(({ id, finishedAt, results: came }) => {
      const failure = came.get(test);
      const whole = {
        executionId: id,
        verdict: "failed" as const,
        reason: null,
        causeCode: null,
        causePhase: null,
        statusCode: null,
      };
      const unknown = { host: "api.example.com", credentialId: null, after: null };
      return {
        runId: id,
        finishedAt: finishedAt.toISOString(),
        failure: failure ? { ...whole, ...unknown, ...failure } : null,
      };
    });
    return {
      ...{ testId: test.id, testName: test.name, method: "get", path: `/${test.name}`, tags: test.tags ?? [] },
      ...{ apiId: test.apiId, apiName: test.apiName ?? "Bookshop", environment: "" },
      environmentUsed: test.environmentUsed ?? "",
      ...{ isMember: run.results.has(test), results },
    };
  }

  return {
    connect: connectTo(testExecutionerContract, {
      async transport(request) {
        if (isAway) throw new Error("connection refused");
        const runId = /\/runs\/([^/]+)\/histories$/.exec(new URL(request.url).pathname)?.[1];
        const run = runs.find(({ id }) => id === runId);
        if (!run) return Response.json({ code: "not_found", detail: "No such run", status: 404 }, { status: 404 });
        const { testIds } = (await request.json()) as { testIds: string[] };
        const known = [...new Set(runs.flatMap(({ results }) => [...results.keys()]))];
        const requested = known.filter((test) => run.results.get(test) || testIds.includes(test.id));
        const response = Response.json({
          testCircleId: run.testCircleId,
          testCircleName: run.testCircleId && "Nightly",
          isWholeCircle: run.testCircleId !== null && run.isWhole,
          items: requested.map((test) => getHistory(test, run)),
        });
        const happens = beforeNextResponse;
        beforeNextResponse = undefined;
        await happens?.();
        return response;
      },
    }),
    away(is: boolean) {
      isAway = is;
    },
    /** Runs this while the next response, which is computed before it, is under way. */
    beforeNextResponse(happens: () => Promise<void>) {
      beforeNextResponse = happens;
    },
    /** Adds a run that has ended; returns the event that reports it. */
    add(
      organizationId: string,
      results: [KnownTest, Came][],
      { testCircleId = null as string | null, isWhole = true, trigger = "schedule" as RunTrigger } = {},
    ): z.infer<typeof runFinished> {
      const now = clock.now();
      const run = { id: uuidv7(), organizationId, testCircleId, isWhole, finishedAt: now, results: new Map(results) };
      runs.push(run);
      const worst = results.find(([, came]) => came)?.[1]?.verdict ?? "passed";
      return {
        id: uuidv7(),
        type: "run.finished",
        organizationId,
        occurredAt: now.toISOString(),
        payload: {
          ...{ runId: run.id, testCircleId, trigger, state: "finished", verdict: worst },
          apiIds: [...new Set(results.map(([{ apiId }]) => apiId))],
          finishedAt: now.toISOString(),
        },
      };
    },
  };
}
