import type { Consumer, OperationKey, Producer, Resource } from "#contracts/api-registry/resources.ts";
import { shorten } from "../openapi/comparison/changes.ts";
import { nameWithParent, withArticle } from "../suite/plan/words.ts";
import { type FindCounterpart, matchResources, toOperationText } from "./match-resources.ts";

/** The graph of one version. */
export interface LivesOfVersion {
  resources: readonly Resource[];
  /** At least those of operations that create something. */
  consumers: readonly Consumer[];
}

export interface LifeStep {
  rule: "life.began" | "life.ended" | "step.added" | "step.removed" | "step.replaced" | "need" | "identifier";
  sentence: string;
  /** Those that the sentence names. */
  operations: OperationKey[];
}

/** What changes of one life: create, read, in the list, change, read changed, delete, gone. */
export interface LifeChange {
  /** Key of the resource in the new version; in the one before if it is gone. */
  resource: string;
  /** `review of a book` */
  name: string;
  /** Creates one in the version before: circles with a test of it hold the life. Undefined for a new life. */
  create?: OperationKey;
  steps: LifeStep[];
}

export interface LivesReview {
  /** The first 50: first those that end, then those that change. */
  lives: LifeChange[];
  /** Those that are left out. */
  moreCount: number;
}

const maxLives = 50;
const maxNeeds = 10;

/**
 * What a new version of a document does to the lives of resources. Each resource and each need is visited once.
 * @param findCounterpart an operation of the version before in the new one; undefined if it is gone
 */
export function reviewLives(
  before: LivesOfVersion,
  after: LivesOfVersion,
  findCounterpart: FindCounterpart,
): LivesReview {
  const changes = new LivesComparison(before, after, findCounterpart).list();
  const rank = ({ steps: [first] }: LifeChange) =>
    first?.rule === "life.ended" ? 0 : first?.rule === "life.began" ? 2 : 1;
  const lives = changes.sort((one, other) => rank(one) - rank(other));
  return { lives: lives.slice(0, maxLives), moreCount: Math.max(lives.length - maxLives, 0) };
}

/** What makes one and identifies it; undefined where no run can make one. */
function findMaking({ key, source, operations, producers }: Resource): Producer | undefined {
  const { create } = operations;
  if (!create || source !== key) return undefined;
  return producers.find(
    ({ operation, many }) => !many && operation.method === create.method && operation.path === create.path,
  );
}

const ofOne = {
  read: { does: "reads one", done: "read", without: "so what a run creates is not read" },
  list: { does: "lists them", done: "listed", without: "so what a run creates is not looked for in a list" },
  change: { does: "changes one", done: "changed", without: "so this change is not tried" },
  replace: { does: "replaces one", done: "replaced", without: "so this change is not tried" },
  remove: { does: "deletes one", done: "deleted", without: "so what a run creates stays" },
} as const;
type Role = keyof typeof ofOne;

class LivesComparison {
  readonly #matched: Map<Resource, Resource>;
  readonly #sides;

  constructor(
    before: LivesOfVersion,
    after: LivesOfVersion,
    private readonly findCounterpart: FindCounterpart,
  ) {
    this.#matched = matchResources(before.resources, after.resources, findCounterpart);
    this.#sides = { before: new Side(before), after: new Side(after) };
  }

  list(): LifeChange[] {
    const known = new Set(this.#matched.values());
    const { before, after } = this.#sides;
    return [
      ...before.resources.map((resource) => this.#compare(resource, this.#matched.get(resource))),
      ...after.resources.filter((resource) => !known.has(resource)).map((resource) => this.#begin(resource)),
    ].filter(({ steps }) => steps.length > 0);
  }

  #begin(resource: Resource): LifeChange {
    const making = findMaking(resource);
    const name = this.#sides.after.nameOf(resource);
    const sentence = `A life of ${withArticle(name)} is possible: ${making && toOperationText(making.operation)} creates one.`;
    const steps = making ? [toStep("life.began", sentence, making.operation)] : [];
    return { resource: resource.key, name: shorten(name, 200), steps };
  }

  #compare(old: Resource, now: Resource | undefined): LifeChange {
    const making = findMaking(old);
    const remaking = now && findMaking(now);
    if (!making) return now && remaking ? this.#begin(now) : { resource: old.key, name: old.name, steps: [] };
    const name = this.#sides.before.nameOf(old);
    const steps = now && remaking ? this.#listSteps(old, now, name) : [this.#end(making, name)];
    return { resource: (now ?? old).key, name: shorten(name, 200), create: making.operation, steps };
  }

  #end({ operation }: Producer, name: string): LifeStep {
    const counterpart = this.findCounterpart(operation);
    const why = counterpart
      ? `${toOperationText(counterpart)} no longer creates one with an identifier`
      : `${toOperationText(operation)} is no longer there`;
    return toStep("life.ended", `The life of ${withArticle(name)} ends: ${why}.`, counterpart ?? operation);
  }

  #listSteps(old: Resource, now: Resource, name: string): LifeStep[] {
    const changes = `The life of ${withArticle(name)} changes: `;
    return [
      ...this.#compareCreation(old, now, changes),
      ...(Object.keys(ofOne) as Role[]).flatMap((role) => this.#compareRole(role, old, now, changes)),
    ];
  }

  #compareRole(role: Role, old: Resource, now: Resource, changes: string): LifeStep[] {
    const [was, is] = [old.operations[role], now.operations[role]];
    const { does, done, without } = ofOne[role];
    const counterpart = was && this.findCounterpart(was);
    if (!was) return is ? [this.#addStep(role, is)] : [];
    if (is && counterpart && isSame(is, counterpart)) return [];
    if (is) {
      const sentence = `${changes}one is ${done} with ${toOperationText(is)} instead of ${toOperationText(was)}.`;
      return [toStep("step.replaced", sentence, is, was)];
    }
    const why = counterpart
      ? `${toOperationText(counterpart)} no longer ${does}`
      : `${toOperationText(was)} is no longer there`;
    const effect = role === "remove" && this.#sides.after.isRemovedWithParent(now) ? withParent : without;
    return [toStep("step.removed", `${changes}${why}, ${effect}.`, counterpart ?? was)];
  }

  #addStep(role: Role, is: OperationKey): LifeStep {
    const effect = role === "remove" ? ", which removes what a run creates" : "";
    return toStep("step.added", `A new step is possible: ${toOperationText(is)}${effect}.`, is);
  }

  #compareCreation(old: Resource, now: Resource, changes: string): LifeStep[] {
    const [making, remaking] = [findMaking(old)!, findMaking(now)!];
    const [was, is] = [making.operation, remaking.operation];
    const counterpart = this.findCounterpart(was);
    const isOther = !counterpart || !isSame(counterpart, is);
    const steps: LifeStep[] = [];
    if (isOther) {
      const sentence = `${changes}one is created with ${toOperationText(is)} instead of ${toOperationText(was)}.`;
      steps.push(toStep("step.replaced", sentence, is, was));
    }
    steps.push(...this.#compareNeeds(old, now, changes));
    const [identifier, other] = [describeIdentifier(making), describeIdentifier(remaking)];
    if (identifier !== other) {
      const sentence = `${changes}${toOperationText(is)} gives its identifier ${other}, no longer ${identifier}.`;
      steps.push(toStep("identifier", sentence, is));
    }
    return steps;
  }

  #compareNeeds(old: Resource, now: Resource, changes: string): LifeStep[] {
    const { before, after } = this.#sides;
    const create = now.operations.create!;
    const had = new Set(before.listNeeds(old).map((need) => this.#matched.get(need)?.key ?? need.key));
    const needs = after.listNeeds(now);
    const has = new Set(needs.map(({ key }) => key));
    const added = needs.filter(({ key }) => !had.has(key));
    const gone = before.listNeeds(old).filter((need) => !has.has(this.#matched.get(need)?.key ?? need.key));
    const says = (word: string, side: Side) => (need: Resource) =>
      toStep("need", `${changes}${toOperationText(create)} ${word} ${withArticle(side.nameOf(need))}.`, create);
    return [...added.map(says("now needs", after)), ...gone.map(says("no longer needs", before))].slice(0, maxNeeds);
  }
}

const withParent = "so what a run creates is removed with its parent only";

/** One version's graph, by keys. */
class Side {
  readonly resources: readonly Resource[];
  readonly #byKey: Map<string, Resource>;
  readonly #needs = new Map<string, Set<string>>();

  constructor({ resources, consumers }: LivesOfVersion) {
    this.resources = resources;
    this.#byKey = new Map(resources.map((resource) => [resource.key, resource]));
    for (const { operation, required, resource } of consumers) {
      if (!required) continue;
      const key = toOperationText(operation);
      const needs = this.#needs.get(key) ?? new Set();
      this.#needs.set(key, needs.add(resource));
    }
  }

  nameOf(resource: Resource): string {
    return nameWithParent(resource, (key) => this.#byKey.get(key));
  }

  /** What has to be there before one can be created. */
  listNeeds({ key, operations: { create } }: Resource): Resource[] {
    const needs = create ? [...(this.#needs.get(toOperationText(create)) ?? [])] : [];
    return needs.flatMap((need) => (need === key ? [] : (this.#byKey.get(need) ?? [])));
  }

  isRemovedWithParent({ parent }: Resource): boolean {
    const above = parent === null ? undefined : this.#byKey.get(parent);
    return above !== undefined && above.operations.remove !== undefined && findMaking(above) !== undefined;
  }
}

function describeIdentifier({ from, path }: Producer): string {
  if (from === "location") return "in the header Location";
  if (from === "sent") return path === "" ? "in its path" : `as ${path} of its request`;
  return `as ${path}`;
}

const isSame = (one: OperationKey, other: OperationKey) => one.method === other.method && one.path === other.path;

function toStep(rule: LifeStep["rule"], sentence: string, ...operations: OperationKey[]): LifeStep {
  return {
    rule,
    sentence: shorten(sentence),
    operations: operations.map(({ method, path }) => ({ method, path: shorten(path) })),
  };
}
