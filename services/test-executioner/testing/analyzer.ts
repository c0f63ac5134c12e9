import type { z } from "@hono/zod-openapi";
import { testAnalyzerContract } from "#contracts/test-analyzer/contract.ts";
import type { Judgement, Verification } from "#contracts/test-analyzer/verifications.ts";
import type { Assertion } from "#contracts/test-registry/assertions.ts";
import { connectTo } from "../../kit/client/client.ts";

const judging = testAnalyzerContract.judgeExecutions;

type Item = z.output<NonNullable<typeof judging.body>>["items"][number];

/**
 * A judge that knows `statusCode equals` and `body contains`: for tests in which
 * the judge itself must be watched, slowed or broken. It takes and gives exactly what the contract says.
 */
export function createPlainAnalyzer() {
  const calls = { judge: 0, judged: 0 };
  let broken = false;

  function verify(item: Item, assertion: Assertion): Verification {
    const actual = assertion.source === "statusCode" ? item.response.status : item.response.body;
    const passed =
      assertion.source === "statusCode"
        ? actual === assertion.target
        : String(actual).includes(String(assertion.target));
    const { source, comparison, target } = assertion;
    const outcome = passed ? "passed" : "failed";
    return {
      kind: "assertion",
      source,
      comparison,
      target,
      actual,
      outcome,
      passed,
      message: `found ${String(actual)}`,
    };
  }

  const connect = connectTo(testAnalyzerContract, {
    transport: async (request) => {
      if (broken) throw new Error("the analyzer is away");
      const { items } = judging.body!.parse(await request.json());
      calls.judge += 1;
      calls.judged += items.length;
      const judgements = items.map((item): Judgement => {
        const verifications = item.assertions.map((assertion) => verify(item, assertion));
        const verdict = verifications.every(({ passed }) => passed) ? "passed" : "failed";
        return { verdict, verifications, captured: {} };
      });
      return Response.json(judging.answer!.parse({ items: judgements }));
    },
  });
  return {
    connect,
    calls,
    breakDown(isBroken = true) {
      broken = isBroken;
    },
  };
}
