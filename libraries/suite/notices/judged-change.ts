import type { JudgeInput, Verification } from "#contracts/test-analyzer/verifications.ts";
import type { Assertion } from "#contracts/test-registry/assertions.ts";
import { judgeAssertion } from "../../judging/assertion/judge-assertion.ts";
import { judgeCheck } from "../../judging/check/judge-check.ts";
import type { Evaluators } from "../../judging/judge-response.ts";
import { type JudgedOperation, type JudgedParts, JudgedResponse } from "../../judging/judged-response.ts";

export type Rules = Pick<JudgeInput, "assertions" | "checks">;
export type Outcome = Verification["outcome"];

/** One response, read once for any number of rules. */
export class JudgedChange {
  readonly #judged: JudgedResponse;
  readonly #schemas: Evaluators["schemas"];
  constructor(
    parts: Omit<JudgedParts, "assertions" | "checks" | "captures">,
    operation: JudgedOperation | undefined,
    { schemas, markup }: Evaluators,
  ) {
    this.#judged = new JudgedResponse(parts, operation, markup);
    this.#schemas = schemas;
  }

  judge(assertion: Assertion): Outcome {
    return judgeAssertion(assertion, this.#judged, this.#schemas).outcome;
  }

  judgeCheck(name: Rules["checks"][number]): Outcome {
    return judgeCheck(name, this.#judged, this.#schemas).outcome;
  }

  /** Whether a test of these rules passes, as `judgeResponse` concludes it. Ends at the first that does not. */
  passes({ assertions, checks }: Rules): boolean {
    let hasPassed = assertions.length + checks.length === 0;
    const isFine = (outcome: Outcome) => {
      hasPassed ||= outcome === "passed";
      return outcome === "passed" || outcome === "skipped";
    };
    return (
      assertions.every((one) => isFine(this.judge(one))) &&
      checks.every((name) => isFine(this.judgeCheck(name))) &&
      hasPassed
    );
  }
}
