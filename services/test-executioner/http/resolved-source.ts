import { Problem } from "#contracts/kit/problem.ts";
import type { RunOrder, RunSource } from "#contracts/test-executioner/runs.ts";
import type { OpenCapture } from "#libraries/running/test-to-run.ts";
import type { Member } from "../domain/members.ts";

/** What is to be run, and how, where the call does not say. */
export interface ResolvedSource {
  source: RunSource;
  members: Member[];
  leftOut: number;
  /** A circle says how it runs; what is repeated keeps to what the earlier run was started with. */
  settled?: {
    order: RunOrder;
    concurrency: number | null;
    stopOnFailure: boolean;
    variables: Record<string, string>;
    apis: { apiId: string; environment: string | null; baseUrl: string | null }[];
    /** Known from the start: what the earlier run captured, a circle's secret variables. */
    captures: OpenCapture[];
  };
}

/** Of one run. */
export const mostExecutions = 10_000;

/** Variables of the call go before those of a circle, and before what an earlier run captured: a secret stays one. */
export function overrideVariables(
  { variables, captures }: Pick<NonNullable<ResolvedSource["settled"]>, "variables" | "captures">,
  given: Record<string, string>,
): { variables: Record<string, string>; captures: OpenCapture[] } {
  const isCaptured = new Set(captures.map(({ name }) => name));
  return {
    variables: { ...variables, ...Object.fromEntries(Object.entries(given).filter(([name]) => !isCaptured.has(name))) },
    captures: captures.map((capture) => ({ ...capture, value: given[capture.name] ?? capture.value })),
  };
}

export function requireMembers({ members, leftOut, source }: ResolvedSource): void {
  if (members.length > mostExecutions) {
    throw new Problem(
      "invalid_input",
      `This would be ${members.length} executions; at most ${mostExecutions} fit one run.`,
    );
  }
  if (members.length > 0) return;
  const detail = explainNothing(source, leftOut);
  throw new Problem("invalid_input", detail, { errors: [{ path: "source", message: detail }] });
}

function explainNothing(source: RunSource, leftOut: number): string {
  if (leftOut > 0 && source.kind === "circle") return "All its tests are disabled or may change data.";
  if (leftOut > 0) return `All ${leftOut} tests may change data, and only safe ones were to be run.`;
  if (source.kind !== "rerun") return "There is no enabled test to run.";
  return source.from === undefined ? "Nothing failed in this run." : "The tests from there on are not there any more.";
}
