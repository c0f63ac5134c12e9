import type { OperationKey } from "#contracts/api-registry/resources.ts";
import type { FindingKind } from "#contracts/test-executioner/explorations.ts";
import type { Assertion } from "#contracts/test-registry/assertions.ts";
import type { Capture } from "#contracts/test-registry/tests.ts";
import { toKey } from "../plan/known.ts";
import { askLargestPage, comesInPages } from "../plan/lists.ts";
import { findDeletionMark, returnsList } from "../plan/objects.ts";
import { listComparable } from "./comparable.ts";
import type { Called } from "./exploring.ts";
import { type LifeOne, trimEnd } from "./life-one.ts";
import { isAccepted } from "./session.ts";
import { conformance } from "./violations.ts";

/** A response that a later one is compared with. */
interface Before {
  captures: Capture[];
  /** What it is if they differ, by what was sent in between. */
  kind: FindingKind;
  by: OperationKey;
}

/** The reads of a chain, each compared with the one before where nothing may have changed. */
export class LifeReads {
  #read: Before | undefined;
  #listed: { captures: Capture[]; again: OperationKey | undefined } | undefined;
  #entityTag: string | undefined;
  #isChanged = false;
  #hasTags = false;
  #count = 0;

  constructor(private readonly one: LifeOne) {}

  /** Whether a response had an ETag. */
  get hasTags(): boolean {
    return this.#hasTags;
  }

  /** Something else may have been done: nothing is compared with what was read before. */
  forget(): void {
    this.#read = this.#listed = this.#entityTag = undefined;
    this.#isChanged = false;
  }

  /** One was changed: its members and lists are others, and so is its tag. */
  noteChange(): void {
    this.#read = this.#listed = undefined;
    this.#isChanged = true;
  }

  /** The request that was the last to change one was sent again, which makes no difference. */
  noteAgain(operation: OperationKey): void {
    if (this.#read) Object.assign(this.#read, { kind: "notIdempotent", by: operation });
    if (this.#listed) this.#listed.again = operation;
  }

  async read(read: OperationKey): Promise<void> {
    const { one } = this;
    const described = one.describe(read);
    const draft = one.draft(read);
    if (!draft || returnsList(described)) return;
    if (!one.isThere) {
      if (findDeletionMark(described) === undefined) await one.expectGone(draft, "read");
      return;
    }
    const before = this.#read;
    const captures = this.#capture(listComparable(described));
    const same = (before?.captures ?? []).map(toSame);
    const echoes = one.listEchoes(described).filter(({ property }) => !same.some((each) => each.property === property));
    const test = {
      ...{ ...draft.test, checks: conformance },
      assertions: [...draft.test.assertions, ...echoes, ...same, ...this.#expectOtherTag()],
      captures: [...captures, this.#captureTag()],
    };
    const called = await one.send(draft, test, ({ source, property = "", message }) => {
      const reason = trimEnd(message);
      if (source === "statusCode") {
        return one.violate(read, "notReadable", `Could not read ${one.name} after ${one.lastSent}: ${reason}`);
      }
      if (source === "header") return one.violate(read, "entityTag", `Kept the ETag of ${one.name} after a change`);
      if (before && same.some((each) => each.property === property)) {
        const { kind, by } = before;
        const what = kind === "notIdempotent" ? "The same request sent again" : "A request that only reads";
        return { ...one.violate(by, kind, `${what} changed ${one.name}: ${reason}`, property), operation: by };
      }
      return one.violate(read, "valueLost", `Did not keep what ${one.lastSent} sent: ${reason}`, property);
    });
    const present = captures.filter(({ name }) => this.#isPresent(name));
    this.#read = isAccepted(called.statusCode) ? { captures: present, kind: "changedByRead", by: read } : undefined;
    this.#noteTag(called);
  }

  /** With the tag of what was read, it is not sent again (RFC 9110, 13.1.2). */
  async readUnchanged(read: OperationKey): Promise<void> {
    const { one } = this;
    const draft = one.draft(read);
    if (!draft || this.#entityTag === undefined || this.#isChanged || !one.isThere) return;
    const condition = { name: "If-None-Match", value: `{{${this.#entityTag}}}`, enabled: true };
    const headers = [...draft.test.request.headers, condition];
    const assertions: Assertion[] = [{ source: "statusCode", comparison: "equals", target: 304 }];
    const request = { ...draft.test.request, headers };
    // Few documents have 304.
    const test = { ...draft.test, request, assertions, captures: [], checks: ["not_a_server_error" as const] };
    await one.send(draft, test, () =>
      one.violate(read, "entityTag", `Sent ${one.name} again although If-None-Match has its ETag`),
    );
  }

  async list(list: OperationKey): Promise<void> {
    const { one } = this;
    const draft = one.draft(list);
    if (!draft) return;
    if (this.#read?.kind === "changedByRead") this.#read.by = list;
    const described = one.describe(list);
    const { producers, variable } = one.scene.resource!;
    const producer = producers.find(({ operation, many }) => many && toKey(operation) === toKey(list));
    // On which page a new one is, is not known; one that is gone is on none.
    if (!producer || (one.isThere && comesInPages(described))) {
      await one.send(draft, { ...draft.test, checks: conformance, captures: [] });
      return;
    }
    const { path: property } = producer;
    const comparison = one.isThere ? "contains" : "notContains";
    const assertion: Assertion = { source: "jsonPath", property, comparison, target: `{{${variable}}}` };
    const { again, captures: before = [] } = this.#listed ?? {};
    // Others may make some at the same time: only what was sent again in between is held to it.
    const same = again ? before.map(toSame) : [];
    const captures = this.#capture([property]);
    const pages = askLargestPage(described, one.exploring.parts.tests.calls.find(list));
    const assertions = [...draft.test.assertions, assertion, ...same];
    const test = { ...draft.test, ...pages, assertions, captures, checks: conformance };
    const called = await one.send(draft, test, ({ source, comparison: failed }) => {
      if (source === "statusCode") return undefined;
      if (failed === "equals" && again) {
        const says = `The same request sent again changed the list of GET ${list.path}`;
        return { ...one.violate(again, "notIdempotent", says), operation: again };
      }
      return one.isThere
        ? one.violate(list, "notReadable", `Does not list ${one.name} after ${one.lastSent}`)
        : one.violate(list, "usedAfterDelete", `Still lists ${one.name} after it was deleted`);
    });
    this.#listed = isAccepted(called.statusCode) ? { captures, again: undefined } : undefined;
  }

  #capture(properties: readonly string[]): Capture[] {
    this.#count += 1;
    return properties.map((property, index) => ({
      ...{ name: `before${this.#count}_${index + 1}`, source: "jsonPath", property, optional: true },
    }));
  }

  #captureTag(): Capture {
    return { name: `entityTag${this.#count}`, source: "header", property: "ETag", optional: true };
  }

  #isPresent(name: string): boolean {
    const capture = this.one.trial.captures.get(name);
    return capture !== undefined && capture.isAbsent !== true;
  }

  /** What was changed has another tag. */
  #expectOtherTag(): Assertion[] {
    if (!this.#isChanged || this.#entityTag === undefined) return [];
    return [{ source: "header", property: "ETag", comparison: "notEquals", target: `{{${this.#entityTag}}}` }];
  }

  #noteTag({ statusCode }: Called): void {
    const { name } = this.#captureTag();
    this.#entityTag = isAccepted(statusCode) && this.#isPresent(name) ? name : undefined;
    this.#hasTags ||= this.#entityTag !== undefined;
    this.#isChanged = false;
  }
}

const toSame = ({ name, property = "" }: Capture): Assertion => ({
  ...{ source: "jsonPath", property, comparison: "equals", target: `{{${name}}}` },
});
