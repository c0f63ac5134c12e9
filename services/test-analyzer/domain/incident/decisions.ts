import type { AlertPolicy, Severity } from "#contracts/test-analyzer/alert-rules.ts";
import type { IncidentCause } from "#contracts/test-analyzer/incidents.ts";
import type { Failure } from "#contracts/test-executioner/histories.ts";
import { type FoundCause, findCause, isOwn } from "./cause.ts";
import { getSeverity, graver } from "./rule-in-force.ts";
import { follow, isIncident, type Steadiness, well } from "./steadiness.ts";

/** A test in one circle or environment, with its watch state. */
export interface WatchedTest extends Steadiness {
  /** Equal for the same test in the same circle and environment. */
  key: string;
  described: DescribedTest;
  /** The newest judged run; it and older ones are not judged again. */
  judgedUpTo: string;
  incident: Incident | null;
  /** The newest failure, while the test fails. */
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
  /** The environment or base URL in use, in circles too; empty for the API's own. */
  environmentUsed: string;
}

export interface LastFailure {
  runId: string;
  at: Date;
  facts: Failure;
  found: FoundCause;
}

/** An incident that is not resolved, or was resolved by these decisions. */
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
  /** The run that resolved it, with the API of one of its tests. */
  resolvedBy: { runId: string; apiId: string } | null;
  mutedUntil: Date | null;
  /** The newest failure with this cause. */
  failure: LastFailure;
  apiId: string;
  /** Number of watched tests that it affects now. */
  failing: number;
  isNew: boolean;
}

/** Decisions in the order in which they happened. */
export type Decision = { incident: Incident; at: Date; runId: string | null } & (
  | { kind: "opened" | "joined" | "well" | "left" | "unsteady"; test: WatchedTest }
  | { kind: "resolved" | "muted" }
);

/** The result of one test in one run. */
export interface Result {
  test: WatchedTest;
  at: Date;
  /** Null when it passed. */
  failure: Failure | null;
  /** Whether each of the last ten passed, oldest first, including this one. */
  last: boolean[];
}

export interface DecisionParts {
  /** Unresolved incidents by fingerprint. */
  incidents: Map<string, Incident>;
  /** End of the mute by fingerprint, for causes whose last incident is resolved. */
  mutes: Map<string, Date>;
  getPolicy(test: WatchedTest): AlertPolicy;
  createId(): string;
}

/**
 * Decides on incidents: one for each cause, as long as a test fails with it. A run is decided with all its results
 * together, since an incident that one result would end may continue because of another.
 */
export class Decisions {
  readonly made: Decision[] = [];
  readonly #parts: DecisionParts;

  constructor(parts: DecisionParts) {
    this.#parts = parts;
  }

  /** Runs must be passed in order. */
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
        test.failure = { runId, at, facts: failure, found: findCause({ ...test.described, failure }, first) };
      }
      this.#place(test, at);
      if (test.incident && test.isUnsteady && !wasUnsteady) this.#markUnsteady(test, at);
    }
    this.#resolveEmptied(runId);
  }

  /** Opens an incident for a test that has failed long enough by now. */
  judgeAge(test: WatchedTest, now: Date): void {
    if (test.failure && !test.incident) this.#place(test, now);
  }

  /** Removes a test that no longer runs there. */
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
      if (isIncident(test, this.#parts.getPolicy(test), at)) this.#enter(test, failure, at);
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
      severity: getSeverity(this.#parts.getPolicy(test), test.described.tags),
      isUnsteady: false,
      since: test.since ?? failure.at,
      openedAt: at,
      resolvedAt: null,
      resolvedBy: null,
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
      // Of one run, the failure that the incident is named after.
      const isNamed = incident.failure.runId !== failure.runId || isOwn(incident.cause, test.described.testId);
      if (isNamed) Object.assign(incident, { failure, apiId: test.described.apiId });
    }
    incident.severity = graver(incident.severity, getSeverity(this.#parts.getPolicy(test), test.described.tags));
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
      const apiId = last && "test" in last ? last.test.described.apiId : incident.apiId;
      incident.resolvedBy = runId === null ? null : { runId, apiId };
      this.#parts.incidents.delete(incident.fingerprint);
      // The mute was set until a fixed time, so a single pass does not end it.
      if (incident.mutedUntil) this.#parts.mutes.set(incident.fingerprint, incident.mutedUntil);
      this.made.push({ kind: "resolved", incident, at: incident.resolvedAt, runId });
    }
  }
}
