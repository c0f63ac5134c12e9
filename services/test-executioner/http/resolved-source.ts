import { Problem } from "#contracts/kit/problem.ts";
import type { SecretReference } from "#contracts/security-service/secret-references.ts";
import type { RunOrder, RunSource } from "#contracts/test-executioner/runs.ts";
import type { OpenCapture } from "#libraries/running/test-to-run.ts";
import { isCookieJar } from "../domain/cookie-jar.ts";
import type { Member } from "../domain/members.ts";
import type { RunSurroundings } from "../store/surroundings.ts";

export type SecretReferences = Record<string, SecretReference>;

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
    /** Where it is sent from unless a test says; as the environments of its APIs say if undefined. */
    locationId?: string | undefined;
    /** Where an earlier run was sent from as its call chose, if it did. */
    chosenLocation?: string | undefined;
    /** Several places that it is sent from, unless a call chooses one. */
    places?: RunSurroundings["places"];
    variables: Record<string, string>;
    /** Where values of secret variables are read when a test uses them, by name. */
    secretReferences?: SecretReferences | undefined;
    apis: { apiId: string; environment: string | null; baseUrl: string | null }[];
    /** Known at the start: the earlier run's captures, a circle's secret variables. Of each of several places. */
    captures: OpenCapture[][];
  };
}

/** Per run. */
export const maxExecutions = 10_000;

/** Variables of the call precede those of a circle and an earlier run's captures: a secret remains secret. */
export function overrideVariables(
  {
    variables,
    captures,
    secretReferences = {},
  }: Pick<NonNullable<ResolvedSource["settled"]>, "variables" | "secretReferences"> & { captures: OpenCapture[] },
  given: Record<string, string>,
): { variables: Record<string, string>; captures: OpenCapture[]; secretReferences?: SecretReferences } {
  const referenced = Object.keys(secretReferences);
  const isCaptured = new Set([...captures.map(({ name }) => name), ...referenced]);
  const read = Object.entries(secretReferences).filter(([name]) => given[name] === undefined);
  const typed = referenced.flatMap((name) => {
    const value = given[name];
    return value === undefined ? [] : [{ name, value, isSecret: true }];
  });
  return {
    ...(read.length > 0 ? { secretReferences: Object.fromEntries(read) } : {}),
    variables: { ...variables, ...Object.fromEntries(Object.entries(given).filter(([name]) => !isCaptured.has(name))) },
    captures: [...captures, ...typed].map((capture) => {
      const value = isCookieJar(capture) ? undefined : given[capture.name];
      // A given value identifies nothing that a run made.
      return value === undefined
        ? capture
        : { ...capture, value, madeAt: undefined, isUnique: undefined, isAbsent: undefined };
    }),
  };
}

/** @param places that the members are sent from */
export function requireMembers({ members, leftOut, source }: ResolvedSource, places: number): void {
  const executions = members.length * places;
  if (executions > maxExecutions) {
    throw new Problem("invalid_input", `This would be ${executions} executions; at most ${maxExecutions} fit one run.`);
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
