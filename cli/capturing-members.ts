import type { CirclePhase } from "#contracts/test-registry/circle-members.ts";
import type { TestInput } from "#contracts/test-registry/tests.ts";
import { listNamesInRows } from "#libraries/template/placeholders.ts";
import type { CapturingMember } from "../services/test-executioner/domain/missing-capture.ts";

/** A member of a circle that runs without a portal. */
export interface RunMember {
  /** From 1, in the circle. */
  position: number;
  phase: CirclePhase;
  test: Pick<TestInput, "name" | "method" | "path" | "captures" | "data">;
  ended?: Pick<CapturingMember, "verdict" | "reason" | "statusCode"> | undefined;
}

/** Of these members, those whose tests capture a name. */
export function listCapturing(members: readonly RunMember[], name: string): CapturingMember[] {
  return members.flatMap(({ test, position, phase, ended }) => {
    const capture = test.captures.find((one) => listNamesInRows(one.name, test.data?.length ?? 0).includes(name));
    if (!capture) return [];
    const { name: testName, method, path } = test;
    const { verdict, reason, statusCode } = ended ?? { verdict: null, reason: null, statusCode: null };
    const state = ended ? ("finished" as const) : ("queued" as const);
    return [
      {
        position,
        phase,
        testName,
        method,
        path,
        isOptional: capture.optional === true,
        state,
        verdict,
        reason,
        statusCode,
      },
    ];
  });
}
