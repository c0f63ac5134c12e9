import type { OperationKey, Resource } from "#contracts/api-registry/resources.ts";
import { toRefusalsKey } from "#contracts/test-analyzer/refusals-key.ts";
import type { PlannedCircle, SuitePlan } from "#contracts/test-analyzer/suite-plans.ts";
import { chooseBaseUrl } from "#libraries/openapi/base-url.ts";
import { getPathGroup } from "#libraries/openapi/path-group.ts";
import { isSafe } from "#libraries/openapi/safe-methods.ts";
import { shorten, shortenBefore } from "../../text/shorten.ts";
import { toSingular, toWords } from "../names.ts";
import { CircleDraft, type PlanParts } from "./circle-draft.ts";
import { changesByGet, readsByPost } from "./effect-by-name.ts";
import { Homes } from "./homes.ts";
import { Known, type PlanInput, toKey } from "./known.ts";
import { planAccount } from "./plan-account.ts";
import { planLife, refuse } from "./plan-life.ts";
import { planReads } from "./plan-reads.ts";
import { planRefusals } from "./plan-refusals.ts";
import { planSetting } from "./plan-setting.ts";
import { PlannedTests } from "./planned-tests.ts";
import { Supplies } from "./supplies.ts";
import { capital, nameWithParent, toPlural, withArticle } from "./words.ts";

/** What a circle is, beside its steps; usually of no resource, safe and in order. */
type Described = Pick<PlannedCircle, "key" | "kind" | "name"> &
  Partial<Pick<PlannedCircle, "resource" | "isSafe" | "order">>;

/** Of tests and circles. */
const maxName = 300;
const maxPlace = 100;

/**
 * The circles of tests for these operations: for each resource the life of one, or reads where none can be made; what
 * is there once, with what it was before put back; and calls that need nothing.
 */
export function planSuite(input: PlanInput): SuitePlan {
  return new SuitePlanner(input).plan();
}

class SuitePlanner {
  readonly #parts: PlanParts;
  readonly #homes: Homes;
  readonly #circles: PlannedCircle[] = [];
  readonly #drafts: CircleDraft[] = [];
  readonly #leftOut: SuitePlan["leftOut"] = [];
  readonly #names = new Set<string>();

  constructor(private readonly input: PlanInput) {
    const known = new Known(input);
    const supplies = new Supplies(known);
    this.#parts = { known, supplies, tests: new PlannedTests(known, supplies) };
    this.#homes = new Homes(known, supplies);
  }

  plan(): SuitePlan {
    const { wanted } = this.input;
    const homeless = wanted.filter((operation) => !this.#homes.find(operation));
    const resources = new Set(wanted.flatMap((operation) => this.#homes.find(operation) ?? []));
    for (const resource of resources) this.#planResource(resource);
    this.#planCalls(this.#planSettings(this.#planAccount(homeless)));
    const listed = this.#listTests();
    const needsBaseUrl = listed.tests.some(({ test }) => this.#needsBaseUrl(test));
    return { circles: this.#circles, ...listed, leftOut: this.#leftOut, needsBaseUrl };
  }

  #needsBaseUrl(test: OperationKey): boolean {
    return chooseBaseUrl(null, this.#parts.known.operations.get(toKey(test))).url === null;
  }

  #planResource(resource: Resource): void {
    const { known, supplies } = this.#parts;
    const { key } = resource;
    const operations = this.#homes.listOf(resource);
    const maker = supplies.findMaker(resource);
    const named = nameWithParent(resource, known.findResource);
    const invalid = `${toPlural(resource.name)}${named.slice(resource.name.length)}`;
    if (maker) {
      const roles = new Set(Object.values(resource.operations).map(toKey));
      const others = operations.filter((one) => !roles.has(toKey(one)));
      const name = this.#name(`Life of ${withArticle(named)}`, resource.collection);
      const life = `life ${key}`;
      this.#add({ key: life, kind: "life", name, resource: key }, planLife(maker, others, this.#parts));
      this.#addRefusals(life, invalid, resource.collection, planRefusals(resource, operations, this.#parts));
    } else {
      const words = `Reads of ${toPlural(resource.name)}${named.slice(resource.name.length)}`;
      const name = this.#name(words, resource.collection);
      this.#add(
        { key: `reads ${key}`, kind: "reads", name, resource: key },
        planReads(resource, operations, this.#parts),
      );
      this.#addRefusals(`reads ${key}`, invalid, resource.collection, planRefusals(resource, operations, this.#parts));
    }
  }

  /** Where people can sign up, what an account does with itself. Returns the other operations. */
  #planAccount(operations: readonly OperationKey[]): OperationKey[] {
    const account = planAccount(this.input.wanted, operations, this.#parts);
    if (!account) return [...operations];
    const covered = new Set(account.covered.map(toKey));
    const isSafe = account.circle.leaves.length === 0;
    this.#add(
      { key: "account", kind: "life", name: this.#name("Life of an account", "sign up"), isSafe },
      account.circle,
    );
    return operations.filter((one) => !covered.has(toKey(one)));
  }

  /** Of operations without a resource, those that read and change what is there once. Returns the others. */
  #planSettings(operations: readonly OperationKey[]): OperationKey[] {
    const settled = new Set<string>();
    for (const path of new Set(operations.map((operation) => operation.path))) {
      const find = (method: string) => operations.find((one) => one.path === path && one.method === method);
      const [read, change] = [find("get"), find("patch") ?? find("put")];
      const thing = toThing(path);
      const circle = read && change && planSetting({ read, change }, thing, this.#parts);
      if (!circle) continue;
      settled.add(toKey(change));
      const name = this.#name(`${capital(thing)}, changed and put back`, path);
      this.#add({ key: `setting ${path}`, kind: "setting", name, isSafe: false }, circle);
    }
    return operations.filter((one) => !settled.has(toKey(one)));
  }

  /** What only reads by group, and each that changes something, or needs something, by itself. */
  #planCalls(operations: readonly OperationKey[]): void {
    const groups = new Map<string, CircleDraft>();
    for (const operation of operations) {
      const draft = this.#parts.tests.call(operation);
      const refusal = draft ? refuse(draft, undefined, this.#parts) : "The document does not describe it.";
      if (!draft || refusal) {
        this.#omit(operation, refusal ?? "");
        continue;
      }
      const { summary } = this.#describe(operation);
      const isGet = isSafe(operation.method);
      const isReading = (isGet || readsByPost(operation)) && !changesByGet({ ...operation, summary });
      // A set-up that fails would leave out the others.
      const group = isReading && draft.resources.length === 0 ? this.#groupOf(operation) : undefined;
      const circle = (group !== undefined && groups.get(group)) || new CircleDraft(this.#parts);
      const why = isReading ? "By its name it only reads." : "";
      circle.add("call", draft, isReading && isGet ? {} : { effect: "allowed", why });
      if (group !== undefined) groups.set(group, circle);
      else {
        const name = this.#name(draft.test.name, operation.path);
        this.#add({ key: `call ${toKey(operation)}`, kind: "calls", name, isSafe: isReading }, circle);
      }
    }
    for (const [group, circle] of groups) {
      const name = this.#name(`Calls of ${group}`, group);
      const key = `calls ${group}`;
      this.#add({ key, kind: "calls", name, order: "parallel" }, circle);
      const called = [...circle.tests.values()].map((draft) => draft.operation);
      this.#addRefusals(key, group, group, planRefusals(undefined, called, this.#parts));
    }
  }

  #groupOf(operation: OperationKey): string {
    return this.#describe(operation).tag || getPathGroup(operation.path);
  }

  #describe(operation: OperationKey) {
    return this.#parts.known.operations.get(toKey(operation))!.operation;
  }

  #add(described: Described, draft: CircleDraft): void {
    const finished = draft.finish();
    if (finished.steps.length === 0) {
      this.#leftOut.push(...finished.leftOut);
      return;
    }
    this.#drafts.push(draft);
    const usual = { resource: null, isSafe: true, order: "sequential" as const, cookies: false };
    this.#circles.push({ ...usual, ...described, ...finished });
  }

  /** Invalid requests for the circle of this key. */
  #addRefusals(key: string, named: string, place: string, circle: CircleDraft): void {
    if (circle.steps.length === 0 || circle.leaves.length > 0) return;
    const name = this.#name(`Invalid requests: ${named}`, place);
    this.#add({ key: toRefusalsKey(key), kind: "refusals", name }, circle);
  }

  #omit({ method, path }: OperationKey, reason: string): void {
    this.#leftOut.push({ operation: { method, path }, reason });
  }

  /** No two circles share a name: by it a later plan finds what was made. */
  #name(proposed: string, place: string): string {
    const plain = shorten(proposed, maxName);
    const name = this.#names.has(plain) ? shortenBefore(proposed, ` (${shorten(place, maxPlace)})`, maxName) : plain;
    this.#names.add(name);
    return name;
  }

  #listTests(): Pick<SuitePlan, "tests" | "values"> {
    const drafts = new Map(this.#drafts.flatMap((circle) => [...circle.tests]));
    const values = new Map<string, SuitePlan["values"][number]>();
    for (const { asks, operation } of drafts.values()) {
      const needed = this.#parts.tests.calls.find(operation)?.values ?? [];
      for (const value of needed.filter(({ name }) => asks.includes(name))) {
        const known = values.get(value.name);
        values.set(value.name, { ...value, usedBy: (known?.usedBy ?? 0) + 1 });
      }
    }
    return {
      tests: [...drafts.values()].map(({ key, test, asks }) => ({ key, test, needs: asks })),
      values: [...values.values()].sort((one, other) => other.usedBy - one.usedBy),
    };
  }
}

/** `settings` for `/api/settings` */
function toThing(path: string): string {
  const segment = path.split("/").findLast((part) => part !== "" && !part.includes("{")) ?? path;
  return toWords(toSingular(segment)).join(" ") === segment ? segment : toWords(segment).join(" ");
}
