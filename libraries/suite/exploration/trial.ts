import type { OperationKey } from "#contracts/api-registry/resources.ts";
import type { FindingKind } from "#contracts/test-executioner/explorations.ts";
import type { OpenCapture } from "#libraries/running/test-to-run.ts";
import type { PlanParts } from "../plan/circle-draft.ts";
import type { Called } from "./exploring.ts";
import type { Findings, SentStep } from "./findings.ts";
import type { OpenScene } from "./scene.ts";
import { isAccepted, type Session, type Step } from "./session.ts";
import { type Expectation, listViolations, type Violation } from "./violations.ts";

/** Things that could not be removed, after which no more are made of their kind. */
export const mostLeft = 10;

/** What exploring is done with. */
export interface Exploring {
  session: Session;
  findings: Findings;
  parts: PlanParts;
  seed: number;
}

export interface ChainStep extends Step {
  /** What it shows if an assertion of its own fails. */
  expects?: Expectation | undefined;
}

/** Something wrong, with what was sent until then. */
export interface Sighting {
  violation: Violation;
  operation: OperationKey;
  steps: SentStep[];
}

/** One chain of requests in a scene, with what its responses did wrong. */
export class Trial {
  readonly sightings: Sighting[] = [];
  readonly captures: Map<string, OpenCapture>;
  readonly #steps: SentStep[];
  #made: Step[] = [];
  #last: ChainStep | undefined;

  /** @param isFresh it makes one of its own, rather than use the scene's */
  constructor(
    private readonly exploring: Exploring,
    private readonly scene: OpenScene,
    isFresh: boolean,
  ) {
    this.captures = new Map(scene.captures);
    const own = scene.own?.creation.operation;
    this.#steps = scene.opened.filter(({ operation }) => !isFresh || operation !== own);
  }

  async send(step: ChainStep): Promise<Called> {
    const { session } = this.exploring;
    const called = await session.send(step, this.captures);
    this.#steps.push({ ...step, phase: "main", called });
    this.#last = step;
    for (const violation of this.#judge(step, called)) this.see(violation, violation.operation ?? step.operation);
    return called;
  }

  /** Sends the last request once more. Returns whether it shows the same. */
  async repeat({ kind, cause }: Violation): Promise<boolean> {
    if (!this.#last) return false;
    const called = await this.exploring.session.send(this.#last, this.captures);
    return this.#judge(this.#last, called).some((one) => one.kind === kind && one.cause === cause);
  }

  #judge({ operation, expects }: ChainStep, called: Called): Violation[] {
    const area = this.scene.resource?.key ?? operation.path;
    return listViolations(called, operation, { area, expects });
  }

  /** Notes what the last response did wrong. */
  see(violation: Violation, operation: OperationKey): void {
    this.sightings.push({ violation, operation, steps: [...this.#steps, ...this.#toTearDown()] });
  }

  /** Makes one that `end` removes. Undefined where it was not made. */
  async create(step: ChainStep, removal: Step): Promise<Called> {
    this.#made.push(removal);
    const called = await this.send(step);
    if (!isAccepted(called.statusCode)) this.#made = this.#made.filter((one) => one !== removal);
    return called;
  }

  isRemoved(removal: Step): void {
    this.#made = this.#made.filter((one) => one !== removal);
  }

  /** Removes what it made. Returns whether that succeeded: otherwise no more is made. */
  async end(): Promise<boolean> {
    let isClean = true;
    for (const step of this.#made.reverse()) {
      const { statusCode } = await this.exploring.session.send(step, this.captures);
      isClean &&= isAccepted(statusCode) || statusCode === 404 || statusCode === 410;
    }
    return isClean;
  }

  #toTearDown(): SentStep[] {
    return this.#made.map((step) => ({ ...step, phase: "tearDown" }));
  }
}

/** Whether one of the sightings is of this cause. */
export function sees(sightings: readonly Sighting[], { kind, cause }: Violation): Sighting | undefined {
  return sightings.find(({ violation }) => violation.kind === kind && violation.cause === cause);
}

/** What is needed to show the last request: what was made, and not the other requests. */
export function withoutOthers({ steps, ...sighting }: Sighting): Sighting {
  const last = steps.findLastIndex(({ phase }) => phase === "main");
  const kept = steps.filter(({ phase, effect }, index) => phase !== "main" || effect === "makes" || index === last);
  return { ...sighting, steps: kept };
}

/** Kinds whose cause may be the values that were sent. */
export const byValue: readonly FindingKind[] = ["serverError", "refusedValid"];
