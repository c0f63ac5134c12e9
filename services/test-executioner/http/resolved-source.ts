import { Problem } from "#contracts/kit/problem.ts";
import type { RunOrder, RunSource } from "#contracts/test-executioner/runs.ts";
import type { OpenCapture } from "#libraries/running/test-to-run.ts";
import { isCookieJar } from "../domain/cookie-jar.ts";
import type { Member } from "../domain/members.ts";

/** The tests to run, and defaults for settings that the call does not make. */
export interface ResolvedSource {
  source: RunSource;
  members: Member[];
  leftOut: number;
  /** A circle defines how it runs; a repetition keeps the settings of the earlier run. */
  settled?: {
    order: RunOrder;
    concurrency: number | null;
    stopOnFailure: boolean;
    /** Whether members may change only what the run made. */
    onlyOwn: boolean;
    variables: Record<string, string>;
    apis: { apiId: string; environment: string | null; baseUrl: string | null }[];
    /** Known at the start: the earlier run's captures, a circle's secret variables. */
    captures: OpenCapture[];
  };
}

/** Per run. */
export const maxExecutions = 10_000;

/** Variables of the call precede those of a circle and an earlier run's captures: a secret remains secret. */
export function overrideVariables(
  { variables, captures }: Pick<NonNullable<ResolvedSource["settled"]>, "variables" | "captures">,
  given: Record<string, string>,
): { variables: Record<string, string>; captures: OpenCapture[] } {
  const isCaptured = new Set(captures.map(({ name }) => name));
  return {
    variables: { ...variables, ...Object.fromEntries(Object.entries(given).filter(([name]) => !isCaptured.has(name))) },
    captures: captures.map((capture) => {
      const value = isCookieJar(capture) ? undefined : given[capture.name];
      // A given value identifies nothing that a run made.
      return value === undefined
        ? capture
        : { ...capture, value, madeAt: undefined, isUnique: undefined, isAbsent: undefined };
    }),
  };
}

export function requireMembers({ members, leftOut, source }: ResolvedSource): void {
  if (members.length > maxExecutions) {
    throw new Problem(
      "invalid_input",
      `This would be ${members.length} executions; at most ${maxExecutions} fit one run.`,
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
  return source.from === undefined ? "Nothing failed in this run." : "The tests from there on no longer exist.";
}
