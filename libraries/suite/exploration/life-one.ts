import type { OperationWithComponents } from "#contracts/api-registry/operations.ts";
import type { OperationKey } from "#contracts/api-registry/resources.ts";
import type { FindingKind } from "#contracts/test-executioner/explorations.ts";
import type { Assertion } from "#contracts/test-registry/assertions.ts";
import type { TestInput } from "#contracts/test-registry/tests.ts";
import { toKey } from "../plan/known.ts";
import type { Draft } from "../plan/planned-tests.ts";
import { assertKept } from "./echoes.ts";
import type { Called } from "./exploring.ts";
import { type OpenScene, toStep } from "./scene.ts";
import { type ChainStep, type Exploring, Trial } from "./trial.ts";
import { conformance, type Expectation, type Violation } from "./violations.ts";

/** Any refusal. */
export const refused: Assertion = { source: "statusCode", comparison: "between", target: [400, 499] };

export const trimEnd = (sentence: string) => sentence.replace(/\.$/, "");

/** The one that a chain is about: what is known of it, and how requests about it are sent. */
export class LifeOne {
  readonly trial: Trial;
  isThere = true;
  /** What was sent last, the whole first, for what has to come back. */
  sent: { operation: OperationKey; value: unknown }[] = [];

  constructor(
    readonly exploring: Exploring,
    readonly scene: OpenScene,
  ) {
    this.trial = new Trial(exploring, scene, true);
  }

  /** `the book` */
  get name(): string {
    return `the ${this.scene.resource!.name}`;
  }

  get lastSent(): string {
    const { method, path } = (this.sent.at(-1) ?? this.scene.own!.creation).operation;
    return `${method.toUpperCase()} ${path}`;
  }

  draft(operation: OperationKey): Draft | undefined {
    return this.exploring.parts.tests.call(operation, { own: this.scene.resource });
  }

  describe(operation: OperationKey): OperationWithComponents {
    return this.exploring.parts.known.operations.get(toKey(operation))!;
  }

  /** With the names that it has already been given. */
  toStep(draft: Draft): ChainStep {
    return { ...toStep(draft, this.exploring.parts), generated: undefined };
  }

  /** Sends a test with its own checks. */
  async send(draft: Draft, test: TestInput, expects?: Expectation): Promise<Called> {
    return await this.trial.send({ ...this.toStep(draft), test, expects });
  }

  /** Nothing can be done with what was deleted. */
  async expectGone(draft: Draft, verb: string): Promise<void> {
    // A document that has no 404 is not at fault for it.
    const checks = conformance.filter((check) => check !== "status_code_conformance");
    const says = `Could still ${verb} ${this.name} after it was deleted`;
    await this.trial.send({
      ...this.toStep(draft),
      ...{ test: { ...draft.test, assertions: [refused], captures: [], checks }, generated: draft.generated },
      expects: () => this.violate(draft.operation, "usedAfterDelete", says),
    });
  }

  violate(operation: OperationKey, kind: FindingKind, says: string, property = ""): Violation {
    const where = kind === "valueLost" ? this.scene.resource!.key : toKey(operation);
    return { kind, cause: `${where} ${property}`.trim(), says };
  }

  /** What each request since the creation sent has to come back; the last ones count. */
  listEchoes(reader: OperationWithComponents): Assertion[] {
    const known = new Map<string, Assertion>();
    for (const { operation, value } of this.sent) {
      for (const one of assertKept(this.describe(operation), value, reader)) known.set(one.property ?? "", one);
    }
    return [...known.values()];
  }

  removed(): void {
    this.isThere = false;
    this.trial.isRemoved(this.scene.own!.removal);
  }
}
