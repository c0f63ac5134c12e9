import type { OperationWithComponents } from "#contracts/api-registry/operations.ts";
import type { OperationKey } from "#contracts/api-registry/resources.ts";
import type { Assertion } from "#contracts/test-registry/assertions.ts";
import { makeOpenTest } from "../negative/open-test.ts";
import { toKey } from "../plan/known.ts";
import { draftChange } from "../plan/plan-life.ts";
import type { Draft } from "../plan/planned-tests.ts";
import { findChanging, listAlterable } from "./alterable.ts";
import { LifeOne, refused, trimEnd } from "./life-one.ts";
import { LifeReads } from "./life-reads.ts";
import { applyChanges, type Change } from "./places.ts";
import type { OpenScene } from "./scene.ts";
import { isAccepted } from "./session.ts";
import type { ChainStep, Exploring, Sighting } from "./trial.ts";
import { conformance } from "./violations.ts";

export const lifeSteps = ["read", "list", "change", "replace", "replaceAgain", "remove"] as const;
/**
 * `call post /books/{bookId}/publish` is another operation of one; `alter 0 body /genre` changes one place of it, and
 * `alter 1` to another value.
 */
export type LifeStep =
  | (typeof lifeSteps)[number]
  | "readUnchanged"
  | "changeStale"
  | "removeOpen"
  | `call ${string}`
  | `alter ${0 | 1} ${string}`;

/** One chain: makes one, does these steps to it, and removes it. */
export class LifeRun {
  readonly #one: LifeOne;
  readonly #reads: LifeReads;
  /** The last request that set the whole of it. */
  #replaced: ChainStep | undefined;

  constructor(
    private readonly exploring: Exploring,
    private readonly scene: OpenScene,
  ) {
    this.#one = new LifeOne(exploring, scene);
    this.#reads = new LifeReads(this.#one);
  }

  get hasTags(): boolean {
    return this.#reads.hasTags;
  }

  get sightings(): Sighting[] {
    return this.#one.trial.sightings;
  }

  /**
   * @param changes other values than those of its valid creation
   * @param name a template of the name that its client chooses
   * @returns whether what it made was removed
   */
  async run(steps: readonly LifeStep[], changes: readonly Change[], name?: string): Promise<boolean> {
    const { own } = this.scene;
    if (!own) return true;
    const { creation, removal } = own;
    const { operation } = creation;
    const chosen = name === undefined ? [] : [[this.scene.resource!.variable, name] as const];
    const generated = new Map([...creation.generated, ...chosen]);
    const { test, sent } = applyChanges(this.#one.describe(operation), creation, changes);
    const step: ChainStep = { ...this.#one.toStep({ ...creation, test }), effect: "makes" };
    const created = await this.#one.trial.create({ ...step, generated }, removal);
    if (isAccepted(created.statusCode)) {
      this.#one.sent = [{ operation, value: sent }];
      if (operation.method === "put") this.#replaced = step;
      for (const each of steps) await this.#do(each);
    }
    return await this.#one.trial.end();
  }

  async #do(step: LifeStep): Promise<void> {
    const { read, list, change, replace, remove } = this.scene.resource!.operations;
    if (step.startsWith("call ")) await this.#callOther(step.slice("call ".length));
    else if (step.startsWith("alter ")) await this.#alter(Number(step.charAt(6)), step.slice("alter 0 ".length));
    else if (step === "read" && read) await this.#reads.read(read);
    else if (step === "readUnchanged" && read) await this.#reads.readUnchanged(read);
    else if (step === "list" && list) await this.#reads.list(list);
    else if (step === "change" && change) await this.#change(change, "change");
    else if (step === "replace" && replace) await this.#change(replace, "replace");
    else if (step === "changeStale" && change) await this.#change(change, "change", true);
    else if (step === "changeStale" && replace) await this.#change(replace, "replace", true);
    else if (step === "replaceAgain") await this.#replaceAgain();
    else if (step === "remove" && remove) await this.#remove(remove);
    else if (step === "removeOpen" && remove) await this.#removeOpen(remove);
  }

  async #change(operation: OperationKey, role: "change" | "replace", isStale = false): Promise<void> {
    const { resource, own } = this.scene;
    const { read } = resource!.operations;
    const one = this.#one;
    const described = one.describe(operation);
    const drafted = draftChange(
      { operation, role, created: own!.creation, maker: own!.maker, read: read && one.describe(read) },
      this.exploring.parts,
    );
    if (!drafted || "reason" in drafted || (isStale && !mayBeStale(described))) return;
    const { draft } = drafted;
    if (!one.isThere) {
      // A PUT may make it again.
      const makes = role === "replace" && described.operation.responses.some(({ status }) => status === "201");
      if (!makes) await one.expectGone(draft, "change");
      return;
    }
    if (isStale) {
      await this.#changeStale(draft);
      return;
    }
    const step = one.toStep(draft);
    const called = await one.trial.send({ ...step, generated: draft.generated });
    this.#reads.noteChange();
    if (!isAccepted(called.statusCode)) return;
    one.sent = [...(role === "replace" ? [] : one.sent), { operation, value: draft.sent }];
    this.#replaced = role === "replace" ? step : undefined;
  }

  /** Who knows another state than the current one must not overwrite it (RFC 9110, 13.1.1). */
  async #changeStale(draft: Draft): Promise<void> {
    const one = this.#one;
    const headers = [
      ...draft.test.request.headers.filter(({ name }) => name.toLowerCase() !== "if-match"),
      { name: "If-Match", value: '"not-the-current-one"', enabled: true },
    ];
    const test = { ...draft.test, request: { ...draft.test.request, headers }, assertions: [refused] };
    const called = await one.trial.send({
      ...{ ...one.toStep({ ...draft, test }), generated: draft.generated },
      expects: () =>
        one.violate(draft.operation, "entityTag", `Changed ${one.name} although If-Match has another ETag`),
    });
    if (!isAccepted(called.statusCode)) return;
    one.sent = [];
    this.#reads.noteChange();
  }

  async #alter(number: number, key: string): Promise<void> {
    const one = this.#one;
    const operation = findChanging(this.scene);
    const call = operation && this.exploring.parts.tests.calls.find(operation);
    const draft = operation && one.draft(operation);
    if (!operation || !call || !draft || !one.isThere) return;
    const described = one.describe(operation);
    const altered = listAlterable(described, call).find(({ place }) => place.key === key);
    if (!altered) return;
    const { test } = applyChanges(described, draft, [{ place: altered.place, value: altered.values[number] }]);
    // Nothing else is changed by the second.
    const generated = number === 0 ? draft.generated : undefined;
    const called = await one.trial.send({ ...one.toStep({ ...draft, test }), generated });
    one.sent = [];
    // The first may be what it was before.
    if (number === 0 || !isAccepted(called.statusCode)) this.#reads.forget();
    else this.#reads.noteChange();
  }

  async #replaceAgain(): Promise<void> {
    const one = this.#one;
    const step = this.#replaced;
    if (!step || !one.isThere) return;
    const { operation } = step;
    const name = `${operation.method.toUpperCase()} of ${one.name}`;
    await one.trial.send({
      ...step,
      expects: ({ source, message }) =>
        source === "statusCode"
          ? one.violate(operation, "notIdempotent", `Refused the same ${name} sent again: ${trimEnd(message)}`)
          : undefined,
    });
    this.#reads.noteAgain(operation);
  }

  /** What it does is not known: only how it is described, and that nothing can be done with what was deleted. */
  async #callOther(key: string): Promise<void> {
    const one = this.#one;
    const draft = this.scene.drafts.find(({ operation }) => toKey(operation) === key);
    if (!draft) return;
    if (!one.isThere) {
      await one.expectGone(draft, "use");
      return;
    }
    await one.trial.send({ ...one.toStep(draft), generated: draft.generated });
    one.sent = [];
    this.#replaced = undefined;
    this.#reads.forget();
  }

  async #remove(remove: OperationKey): Promise<void> {
    const one = this.#one;
    const draft = this.exploring.parts.tests.remove(this.scene.resource!, remove);
    if (!draft) return;
    if (!one.isThere) {
      // Once more is no error of the client, whatever the status says of it.
      const assertions: Assertion[] = [{ source: "statusCode", comparison: "lessThan", target: 500 }];
      await one.send(draft, { ...draft.test, assertions, checks: ["not_a_server_error"] });
      return;
    }
    const called = await one.send(draft, { ...draft.test, checks: conformance });
    if (isAccepted(called.statusCode)) one.removed();
  }

  async #removeOpen(remove: OperationKey): Promise<void> {
    const one = this.#one;
    const draft = this.exploring.parts.tests.remove(this.scene.resource!, remove);
    const call = this.exploring.parts.tests.calls.find(remove);
    const open = call && makeOpenTest(one.describe(remove), call);
    if (!draft || !open || !one.isThere) return;
    const says = `Deleted ${one.name} without credentials although they are required`;
    const called = await one.send(draft, { ...draft.test, ...open, assertions: [refused] }, () =>
      one.violate(remove, "acceptedWithoutCredentials", says),
    );
    if (isAccepted(called.statusCode)) one.removed();
  }
}

/** Whether the document knows of preconditions. */
function mayBeStale({ operation }: OperationWithComponents): boolean {
  return (
    operation.responses.some(({ status }) => status === "412") ||
    operation.parameters.some(({ name, in: location }) => location === "header" && name.toLowerCase() === "if-match")
  );
}
