import type { AlertPolicy, Severity } from "#contracts/test-analyzer/alert-rules.ts";
import type { IncidentCause } from "#contracts/test-analyzer/incidents.ts";
import type { Failure } from "#contracts/test-executioner/histories.ts";
import { causeOf, type FoundCause, isOwn } from "./cause.ts";
import { graver, severityOf } from "./rule-in-force.ts";
import { follow, isIncident, type Steadiness, well } from "./steadiness.ts";

/** A test in the place it is run in, as it is looked after. */
export interface WatchedTest extends Steadiness {
  /** The same for the same test in the same place. */
  key: string;
  described: DescribedTest;
  /** The newest run that was judged; none up to it is judged again. */
  judgedUpTo: string;
  incident: Incident | null;
  /** The newest failure, while it fails. */
  failure: LastFailure | null;
}

export interface DescribedTest {
  testId: string;
  testName: string;
  method: string;
  path: string;
  tags: string[];
  apiId: string;
  apiName: string;
  environment: string;
  testCircleId: string | null;
  testCircleName: string | null;
}

export interface LastFailure {
  runId: string;
  at: Date;
  facts: Failure;
  found: FoundCause;
}

/** An incident that is not resolved, or was resolved just now. */
export interface Incident {
  id: string;
  fingerprint: string;
  cause: IncidentCause;
  title: string;
  severity: Severity;
  isUnsteady: boolean;
  since: Date;
  openedAt: Date;
  resolvedAt: Date | null;
  mutedUntil: Date | null;
  /** The newest failure by it. */
  failure: LastFailure;
  apiId: string;
  /** How many watched tests are in it now. */
  failing: number;
  isNew: boolean;
}

/** What was decided, in the order in which it happened. */
export type Decision = { incident: Incident; at: Date; runId: string | null } & (
  | { kind: "opened" | "joined" | "well" | "left" | "unsteady"; test: WatchedTest }
  | { kind: "resolved" | "muted" }
);

/** What one test did in one run. */
export interface Result {
  test: WatchedTest;
  at: Date;
  /** Null where it passed. */
  failure: Failure | null;
  /** Whether the last ten passed, oldest first, this one included. */
  last: boolean[];
}

export interface DecisionParts {
  /** Those that are not resolved, by their fingerprints. */
  incidents: Map<string, Incident>;
  /** Until when causes are muted whose last incident is over, by their fingerprints. */
  mutes: Map<string, Date>;
  policyOf(test: WatchedTest): AlertPolicy;
  createId(): string;
}

/**
 * Decides what is an incident: one for each cause, as long as a test fails by it. What is told of a run is decided with
 * all its results at hand, so that what one of them ends another may keep up.
 */
export class Decisions {
  readonly made: Decision[] = [];
  readonly #parts: DecisionParts;

  constructor(parts: DecisionParts) {
    this.#parts = parts;
  }

  /** Runs have to come in their order. */
  judgeRun(runId: string, results: readonly Result[]): void {
    const failed = new Map(
      results.flatMap(({ test, failure }) =>
        failure ? [[test.described.testId, { ...test.described, failure }]] : [],
      ),
    );
    for (const { test, at, failure, last } of results) {
      const wasUnsteady = test.isUnsteady;
      Object.assign(test, { ...follow(test, { passed: failure === null, at }, last), judgedUpTo: runId });
      if (failure === null) test.failure = null;
      else {
        const first = failure.after ? failed.get(failure.after.testId) : undefined;
        test.failure = { runId, at, facts: failure, found: causeOf({ ...test.described, failure }, first) };
      }
      this.#place(test, at);
      if (test.incident && test.isUnsteady && !wasUnsteady) this.#markUnsteady(test, at);
    }
    this.#resolveEmptied(runId);
  }

  /** A test that has failed long enough by now. */
  judgeAge(test: WatchedTest, now: Date): void {
    if (test.failure && !test.incident) this.#place(test, now);
  }

  /** A test that is not run there any more. */
  remove(test: WatchedTest, at: Date, runId: string | null): void {
    if (test.incident) this.#leave(test, "left", at, runId);
    Object.assign(test, { ...well, failure: null });
    this.#resolveEmptied(runId, at);
  }

  #place(test: WatchedTest, at: Date): void {
    const { incident, failure } = test;
    if (!failure) {
      if (incident && !test.isUnsteady) this.#leave(test, "well", at, test.judgedUpTo);
      return;
    }
    if (!incident) {
      if (isIncident(test, this.#parts.policyOf(test), at)) this.#enter(test, failure, at);
    } else if (incident.fingerprint === failure.found.fingerprint || isOwn(incident.cause, test.described.testId)) {
      this.#renew(incident, test, failure);
    } else {
      this.#leave(test, "left", at, failure.runId);
      this.#enter(test, failure, at);
    }
  }

  #enter(test: WatchedTest, failure: LastFailure, at: Date): void {
    const known = this.#parts.incidents.get(failure.found.fingerprint);
    const incident = known ?? this.#open(test, failure, at);
    incident.failing += 1;
    test.incident = incident;
    this.#renew(incident, test, failure);
    this.made.push({ kind: known ? "joined" : "opened", incident, test, at, runId: failure.runId });
    if (!known && incident.mutedUntil) this.made.push({ kind: "muted", incident, at, runId: failure.runId });
    if (test.isUnsteady) this.#markUnsteady(test, at);
  }

  #open(test: WatchedTest, failure: LastFailure, at: Date): Incident {
    const { found } = failure;
    const mutedUntil = this.#parts.mutes.get(found.fingerprint);
    const incident: Incident = {
      id: this.#parts.createId(),
      ...found,
      severity: severityOf(this.#parts.policyOf(test), test.described.tags),
      isUnsteady: false,
      since: test.since ?? failure.at,
      openedAt: at,
      resolvedAt: null,
      mutedUntil: mutedUntil && mutedUntil > at ? mutedUntil : null,
      failure,
      apiId: test.described.apiId,
      failing: 0,
      isNew: true,
    };
    this.#parts.incidents.set(found.fingerprint, incident);
    return incident;
  }

  #renew(incident: Incident, test: WatchedTest, failure: LastFailure): void {
    if (failure.runId >= incident.failure.runId) {
      // Of one run, the failure that the incident is named for.
      const isNamed = incident.failure.runId !== failure.runId || isOwn(incident.cause, test.described.testId);
      if (isNamed) Object.assign(incident, { failure, apiId: test.described.apiId });
    }
    incident.severity = graver(incident.severity, severityOf(this.#parts.policyOf(test), test.described.tags));
  }

  #markUnsteady(test: WatchedTest, at: Date): void {
    const incident = test.incident!;
    if (incident.isUnsteady) return;
    incident.isUnsteady = true;
    this.made.push({ kind: "unsteady", incident, test, at, runId: test.judgedUpTo });
  }

  #leave(test: WatchedTest, kind: "well" | "left", at: Date, runId: string | null): void {
    const incident = test.incident!;
    incident.failing -= 1;
    test.incident = null;
    this.made.push({ kind, incident, test, at, runId });
  }

  #resolveEmptied(runId: string | null, at?: Date): void {
    for (const incident of [...this.#parts.incidents.values()]) {
      if (incident.failing > 0) continue;
      const last = this.made.findLast((decision) => decision.incident === incident);
      incident.resolvedAt = at ?? last?.at ?? incident.failure.at;
      this.#parts.incidents.delete(incident.fingerprint);
      // Whoever muted it said until when, and not unless it passes once.
      if (incident.mutedUntil) this.#parts.mutes.set(incident.fingerprint, incident.mutedUntil);
      this.made.push({ kind: "resolved", incident, at: incident.resolvedAt, runId });
    }
  }
}
