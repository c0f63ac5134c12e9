import type { OperationWithComponents } from "#contracts/api-registry/operations.ts";
import type { OperationKey } from "#contracts/api-registry/resources.ts";
import type { FindingKind } from "#contracts/test-executioner/explorations.ts";
import type { Assertion } from "#contracts/test-registry/assertions.ts";
import type { Capture, TestInput } from "#contracts/test-registry/tests.ts";
import { makeOpenTest } from "../negative/open-test.ts";
import { toKey } from "../plan/known.ts";
import { askLargestPage, comesInPages } from "../plan/lists.ts";
import { findDeletionMark, returnsList } from "../plan/objects.ts";
import { draftChange } from "../plan/plan-life.ts";
import type { Draft } from "../plan/planned-tests.ts";
import { findChanging, listAlterable } from "./alterable.ts";
import { listComparable } from "./comparable.ts";
import { assertKept } from "./echoes.ts";
import type { Called } from "./exploring.ts";
import { applyChanges, type Change } from "./places.ts";
import { type OpenScene, toStep } from "./scene.ts";
import { isAccepted } from "./session.ts";
import { type ChainStep, type Exploring, type Sighting, Trial } from "./trial.ts";
import { conformance, type Expectation } from "./violations.ts";

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

/** A response that a later one is compared with. */
interface Before {
  captures: Capture[];
  /** What was sent since, if anything, that must not make a difference. */
  since: FindingKind;
  by: OperationKey;
}

const gone: Assertion = { source: "statusCode", comparison: "between", target: [400, 499] };

/** One chain: makes one, does these steps to it, and removes it. */
export class LifeRun {
  readonly #trial: Trial;
  /** What was sent last, for what has to come back. */
  #sent: { operation: OperationKey; value: unknown }[] = [];
  #isThere = true;
  #read: Before | undefined;
  #listed: Before | undefined;
  #entityTag: string | undefined;
  #isChanged = false;
  #tagged = false;
  #replaced: ChainStep | undefined;
  #count = 0;

  constructor(
    private readonly exploring: Exploring,
    private readonly scene: OpenScene,
  ) {
    this.#trial = new Trial(exploring, scene, true);
  }

  /** Whether what it read last has an ETag. */
  get hasEntityTag(): boolean {
    return this.#tagged;
  }

  get sightings(): Sighting[] {
    return this.#trial.sightings;
  }

  /** Returns whether what it made was removed. */
  async run(steps: readonly LifeStep[], changes: readonly Change[] = []): Promise<boolean> {
    const { own } = this.scene;
    if (!own) return true;
    const { creation, removal } = own;
    const { operation, generated } = creation;
    const { test, sent } = applyChanges(this.#describe(operation), creation, changes);
    const created = await this.#trial.create(
      { ...this.#toStep({ ...creation, test }), effect: "makes", generated },
      removal,
    );
    if (isAccepted(created.statusCode)) {
      this.#sent = [{ operation, value: sent }];
      if (operation.method === "put") this.#replaced = { ...this.#toStep({ ...creation, test }), effect: "makes" };
      for (const step of steps) await this.#do(step);
    }
    return await this.#trial.end();
  }

  async #do(step: LifeStep): Promise<void> {
    const { read, list, change, replace, remove } = this.scene.resource!.operations;
    if (step.startsWith("call ")) {
      await this.#callOther(step.slice("call ".length));
      return;
    }
    if (step.startsWith("alter ")) {
      await this.#alter(Number(step.charAt(6)), step.slice("alter 0 ".length));
      return;
    }
    switch (step) {
      case "read":
      case "readUnchanged":
        if (read) await (step === "read" ? this.#readIt(read) : this.#readUnchanged(read));
        return;
      case "list":
        if (list) await this.#listIt(list);
        return;
      case "change":
        if (change) await this.#changeIt(change, "change", false);
        return;
      case "changeStale":
        if (change) await this.#changeIt(change, "change", true);
        else if (replace) await this.#changeIt(replace, "replace", true);
        return;
      case "removeOpen":
        if (remove) await this.#removeOpen(remove);
        return;
      case "replace":
        if (replace) await this.#changeIt(replace, "replace", false);
        return;
      case "replaceAgain":
        await this.#replaceAgain();
        return;
      case "remove":
        if (remove) await this.#remove(remove);
    }
  }

  async #readIt(read: OperationKey): Promise<void> {
    const described = this.#describe(read);
    const draft = this.#draft(read);
    if (!draft || returnsList(described)) return;
    if (!this.#isThere) {
      if (findDeletionMark(described) === undefined)
        await this.#expectGone(draft, "Could still read it after it was deleted");
      return;
    }
    const before = this.#read;
    const comparable = listComparable(described);
    const captures = comparable.map((property, index) => this.#capture(property, index));
    const expected = before ? this.#expectSame(before) : [];
    const echoes = this.#echoes(described).filter(({ property }) => !expected.some((one) => one.property === property));
    const tags = this.#expectOtherTag();
    const test = {
      ...draft.test,
      assertions: [...draft.test.assertions, ...echoes, ...expected, ...tags],
      captures: [...captures, this.#captureTag()],
    };
    const called = await this.#send(draft, test, ({ source, property = "", message }) => {
      const reason = trimEnd(message);
      if (source === "statusCode")
        return this.#violate(read, "notReadable", `Could not read it after ${this.#lastSent()}: ${reason}`);
      if (source === "header") return this.#violate(read, "entityTag", "Kept its ETag though it was changed");
      if (before && expected.some((one) => one.property === property)) {
        const { since, by } = before;
        return {
          ...this.#violate(by, since, `${sinceWords[since] ?? "Changed it"}: ${reason}`, property),
          operation: by,
        };
      }
      return this.#violate(read, "valueLost", `Did not keep what was sent by ${this.#lastSent()}: ${reason}`, property);
    });
    this.#read = isAccepted(called.statusCode)
      ? { captures: this.#present(captures), since: "changedByRead", by: read }
      : undefined;
    this.#noteTag(called);
  }

  /** With the tag of what it read, it has not to be sent again (RFC 9110, 13.1.2). */
  async #readUnchanged(read: OperationKey): Promise<void> {
    const draft = this.#draft(read);
    if (!draft || this.#entityTag === undefined || this.#isChanged || !this.#isThere) return;
    const headers = [
      ...draft.test.request.headers,
      { name: "If-None-Match", value: `{{${this.#entityTag}}}`, enabled: true },
    ];
    const assertions: Assertion[] = [{ source: "statusCode", comparison: "equals", target: 304 }];
    const test = { ...draft.test, request: { ...draft.test.request, headers }, assertions, captures: [] };
    // A document rarely has 304.
    await this.#send(draft, { ...test, checks: ["not_a_server_error"] }, () =>
      this.#violate(read, "entityTag", "Sent it again for If-None-Match with its own ETag"),
    );
  }

  async #listIt(list: OperationKey): Promise<void> {
    if (this.#read?.since === "changedByRead") this.#read.by = list;
    const described = this.#describe(list);
    const draft = this.#draft(list);
    const { producers, variable } = this.scene.resource!;
    const producer = producers.find(({ operation, many }) => many && toKey(operation) === toKey(list));
    if (!draft) return;
    // On which page a new one is, is not known; one that is gone is on none.
    const isUnknown = this.#isThere && comesInPages(described);
    if (!producer || isUnknown) {
      await this.#send(draft, { ...draft.test, captures: [] }, undefined);
      return;
    }
    const { path: property } = producer;
    const comparison = this.#isThere ? "contains" : "notContains";
    const assertions: Assertion[] = [{ source: "jsonPath", property, comparison, target: `{{${variable}}}` }];
    const before = this.#listed;
    const same: Assertion[] = (before?.captures ?? []).map(({ name }) => ({
      ...{ source: "jsonPath", property, comparison: "equals", target: `{{${name}}}` },
    }));
    const captures = [this.#capture(property, 0)];
    const pages = askLargestPage(described, this.exploring.parts.tests.calls.find(list));
    const all = { ...draft.test, ...pages };
    const test = { ...all, assertions: [...draft.test.assertions, ...assertions, ...same], captures };
    const called = await this.#send(draft, test, ({ source, comparison: failed }) => {
      if (source === "statusCode") return undefined;
      if (failed === "equals")
        return this.#violate(list, "notIdempotent", "Has another list after the same PUT was sent again");
      return this.#isThere
        ? this.#violate(list, "notReadable", `Does not list it after ${this.#lastSent()}`)
        : this.#violate(list, "usedAfterDelete", "Still lists it after it was deleted");
    });
    // Others may make some at the same time: only what was sent again in between is held to it.
    this.#listed = isAccepted(called.statusCode) ? { captures: [], since: "changedByRead", by: list } : undefined;
    if (this.#listed) this.#listedCaptures = captures;
  }

  #listedCaptures: Capture[] = [];

  async #changeIt(operation: OperationKey, role: "change" | "replace", isStale: boolean): Promise<void> {
    const { resource, own } = this.scene;
    const { read } = resource!.operations;
    const { parts } = this.exploring;
    const described = this.#describe(operation);
    const drafted = draftChange(
      { operation, role, created: own!.creation, maker: own!.maker, read: read && this.#describe(read) },
      parts,
    );
    if (!drafted || "reason" in drafted || (isStale && !mayBeStale(described))) return;
    const { draft } = drafted;
    if (!this.#isThere) {
      // A PUT may make it again.
      const makes = described.operation.responses.some(({ status }) => status === "201");
      if (!(role === "replace" && makes)) await this.#expectGone(draft, "Could still change it after it was deleted");
      return;
    }
    if (isStale) {
      await this.#changeStale(draft);
      return;
    }
    const step = { ...this.#toStep(draft), generated: draft.generated };
    const called = await this.#trial.send(step);
    this.#listed = this.#read = undefined;
    if (!isAccepted(called.statusCode)) return;
    this.#isChanged = true;
    this.#sent = role === "replace" ? [] : this.#sent;
    this.#sent.push({ operation, value: draft.sent });
    this.#replaced = role === "replace" ? { ...step, generated: undefined } : undefined;
  }

  async #alter(number: number, key: string): Promise<void> {
    const operation = findChanging(this.scene);
    const described = operation && this.#describe(operation);
    const draft = operation && this.#draft(operation);
    const place = described && this.exploring.parts.tests.calls.find(operation);
    const [altered] = place ? listAlterable(described, place).filter((one) => one.place.key === key) : [];
    if (!operation || !described || !draft || !altered || !this.#isThere) return;
    const { test, sent } = applyChanges(described, draft, [{ place: altered.place, value: altered.values[number] }]);
    const called = await this.#trial.send({
      ...this.#toStep({ ...draft, test, sent }),
      // Nothing else is changed by the second.
      generated: number === 0 ? draft.generated : undefined,
    });
    this.#listed = this.#read = undefined;
    this.#sent = [];
    // The first may be what it was before.
    if (number === 0) this.#entityTag = undefined;
    this.#isChanged = isAccepted(called.statusCode);
  }

  /** One who knows another state than the current one must not overwrite it (RFC 9110, 13.1.1). */
  async #changeStale(draft: Draft): Promise<void> {
    const headers = [
      ...draft.test.request.headers.filter(({ name }) => name.toLowerCase() !== "if-match"),
      { name: "If-Match", value: '"not-the-current-one"', enabled: true },
    ];
    const test = { ...draft.test, request: { ...draft.test.request, headers }, assertions: [gone] };
    const called = await this.#trial.send({
      ...{ ...this.#toStep({ ...draft, test }), generated: draft.generated },
      expects: () =>
        this.#violate(draft.operation, "entityTag", "Changed it for If-Match with an ETag that it does not have"),
    });
    if (!isAccepted(called.statusCode)) return;
    this.#isChanged = true;
    this.#sent = [];
    this.#listed = this.#read = undefined;
  }

  async #replaceAgain(): Promise<void> {
    const step = this.#replaced;
    if (!step || !this.#isThere) return;
    await this.#trial.send({
      ...step,
      expects: ({ source, message }) =>
        source === "statusCode"
          ? this.#violate(step.operation, "notIdempotent", `Did not take the same PUT again: ${trimEnd(message)}`)
          : undefined,
    });
    if (this.#read) Object.assign(this.#read, { since: "notIdempotent", by: step.operation });
    if (this.#listed) this.#listed.captures = this.#listedCaptures;
  }

  /** What it does is not known: only how it is described, and that nothing can be done with what was deleted. */
  async #callOther(key: string): Promise<void> {
    const draft = this.scene.drafts.find(({ operation }) => toKey(operation) === key);
    if (!draft) return;
    if (!this.#isThere) await this.#expectGone(draft, "Could still use it after it was deleted");
    else {
      await this.#trial.send({ ...this.#toStep(draft), generated: draft.generated });
      this.#sent = [];
      this.#read = this.#listed = this.#replaced = undefined;
      this.#isChanged = false;
      this.#entityTag = undefined;
    }
  }

  async #remove(remove: OperationKey): Promise<void> {
    const { own } = this.scene;
    const draft = this.exploring.parts.tests.remove(this.scene.resource!, remove);
    if (!draft) return;
    if (!this.#isThere) {
      // Once more is no error of the client: any answer but an error of the server will do.
      const assertions: Assertion[] = [{ source: "statusCode", comparison: "lessThan", target: 500 }];
      await this.#send(draft, { ...draft.test, assertions, checks: ["not_a_server_error"] }, undefined);
      return;
    }
    const called = await this.#send(draft, draft.test, undefined);
    if (!isAccepted(called.statusCode)) return;
    this.#isThere = false;
    this.#listed = undefined;
    this.#trial.isRemoved(own!.removal);
  }

  async #removeOpen(remove: OperationKey): Promise<void> {
    const { own } = this.scene;
    const draft = this.exploring.parts.tests.remove(this.scene.resource!, remove);
    const call = this.exploring.parts.tests.calls.find(remove);
    const open = call && makeOpenTest(this.#describe(remove), call);
    if (!draft || !open || !this.#isThere) return;
    const step = { ...this.#toStep(draft), test: { ...draft.test, ...open, assertions: [gone] } };
    const says = "Deleted it without credentials although they are required";
    const expects: Expectation = () => ({ kind: "acceptedWithoutCredentials", cause: toKey(remove), says });
    const called = await this.#trial.send({ ...step, expects });
    if (!isAccepted(called.statusCode)) return;
    this.#isThere = false;
    this.#trial.isRemoved(own!.removal);
  }

  async #expectGone(draft: Draft, says: string): Promise<void> {
    // A document that has no 404 is not at fault for it.
    const checks = conformance.filter((check) => check !== "status_code_conformance");
    const test = { ...draft.test, assertions: [gone], captures: [], checks };
    await this.#trial.send({
      ...{ ...toStep(draft, this.exploring.parts), test },
      ...{ generated: draft.generated, expects: () => this.#violate(draft.operation, "usedAfterDelete", says) },
    });
  }

  async #send(draft: Draft, test: TestInput, expects: Expectation | undefined): Promise<Called> {
    return await this.#trial.send({ ...this.#toStep({ ...draft, test }), expects });
  }

  /** Names that it has already been given stay. */
  #toStep(draft: Draft): ChainStep {
    const { test } = draft;
    const step = toStep(draft, this.exploring.parts);
    const isBare = test.checks.length === 1;
    return { ...step, test: isBare ? test : step.test, generated: undefined };
  }

  #draft(operation: OperationKey): Draft | undefined {
    return this.exploring.parts.tests.call(operation, { own: this.scene.resource });
  }

  #describe(operation: OperationKey): OperationWithComponents {
    return this.exploring.parts.known.operations.get(toKey(operation))!;
  }

  #violate(operation: OperationKey, kind: FindingKind, says: string, property = "") {
    const where = kind === "valueLost" ? this.scene.resource!.key : toKey(operation);
    return { kind, cause: `${where} ${property}`.trim(), says };
  }

  #lastSent(): string {
    const { method, path } = (this.#sent.at(-1) ?? this.scene.own!.creation).operation;
    return `${method.toUpperCase()} ${path}`;
  }

  /** What each request since the creation sent has to come back, the last ones first. */
  #echoes(reader: OperationWithComponents): Assertion[] {
    const known = new Map<string, Assertion>();
    for (const { operation, value } of this.#sent) {
      for (const one of assertKept(this.#describe(operation), value, reader)) known.set(one.property ?? "", one);
    }
    return [...known.values()];
  }

  #capture(property: string, index: number): Capture {
    if (index === 0) this.#count += 1;
    return { name: `before${this.#count}_${index + 1}`, source: "jsonPath", property, optional: true };
  }

  #captureTag(): Capture {
    return { name: `entityTag${this.#count}`, source: "header", property: "ETag", optional: true };
  }

  #present(captures: Capture[]): Capture[] {
    return captures.filter(({ name }) => this.#isPresent(name));
  }

  #isPresent(name: string): boolean {
    const capture = this.#trial.captures.get(name);
    return capture !== undefined && capture.isAbsent !== true;
  }

  #expectSame({ captures }: Before): Assertion[] {
    return captures.map(({ name, property }) => ({
      ...{ source: "jsonPath", property: property!, comparison: "equals", target: `{{${name}}}` },
    }));
  }

  /** What was changed has another tag. */
  #expectOtherTag(): Assertion[] {
    if (!this.#isChanged || this.#entityTag === undefined) return [];
    return [{ source: "header", property: "ETag", comparison: "notEquals", target: `{{${this.#entityTag}}}` }];
  }

  #noteTag({ statusCode }: Called): void {
    const name = `entityTag${this.#count}`;
    this.#entityTag = isAccepted(statusCode) && this.#isPresent(name) ? name : undefined;
    this.#tagged ||= this.#entityTag !== undefined;
    this.#isChanged = false;
  }
}

const sinceWords: Partial<Record<FindingKind, string>> = {
  changedByRead: "Changed it though it only reads",
  notIdempotent: "Changed it when the same request was sent again",
};

const trimEnd = (sentence: string) => sentence.replace(/\.$/, "");

/** Whether the document knows of preconditions. */
function mayBeStale({ operation }: OperationWithComponents): boolean {
  return (
    operation.responses.some(({ status }) => status === "412") ||
    operation.parameters.some(({ name, in: location }) => location === "header" && name.toLowerCase() === "if-match")
  );
}
