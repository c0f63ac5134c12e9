import { isRecord } from "../../json/json-value.ts";
import type { Direction, SampleSource } from "../sample/sample-source.ts";
import type { ChangedComponents } from "./changed-components.ts";
import { type Changes, capitalize } from "./changes.ts";
import { compareAlternatives } from "./compare-alternatives.ts";
import { compareArrays } from "./compare-arrays.ts";
import { compareObjects } from "./compare-objects.ts";
import { compareValues, haveSameTexts } from "./compare-values.ts";
import type { FlatSchema } from "./flat-schema.ts";
import { Flattener } from "./flattener.ts";
import { type Effect, isBreaking, type Rule, type SchemaWord, toSchemaRule } from "./rules.ts";
import type { Relation, Walk } from "./walk.ts";

/** Stands in sentences for the value whose schemas are compared. */
const root = "\u0000";

/** Of one value, and of all values of two documents, after which a value has only few. */
const maxPairs = 20_000;
const maxTotal = 4_000_000;
const maxFewPairs = 500;
const maxPairsOfRelation = 200;
const maxRelationDepth = 6;
const maxBreaking = 100;
const idsOfAfter = 2 ** 26;

interface Finding {
  rule: Rule;
  sentence: string;
}

interface Compared {
  findings: readonly Finding[];
  /** Whether descriptions, examples and the like differ. */
  hasOtherTexts: boolean;
}

/** Of all schemas of two versions; what was compared once isn't compared again. */
export class SchemaComparer {
  readonly before: Flattener;
  readonly after: Flattener;
  #visited = 0;
  readonly #compared = new Map<string, Compared>();
  readonly #relations = new Map<string, Relation>();
  readonly #steps: Record<string, Map<number, Step>> = {};

  constructor(
    sources: { before: SampleSource; after: SampleSource },
    readonly components: ChangedComponents,
  ) {
    this.before = new Flattener(sources.before);
    this.after = new Flattener(sources.after);
  }

  /**
   * Adds how the schema of a value changed, from the point of view of who sends it (request) or reads it (response).
   * @param called the value's name in a sentence: `the response 200`
   */
  compare(before: unknown, after: unknown, direction: Direction, called: string, changes: SchemaChanges): void {
    if (isSameJson(before, after, this.components)) return;
    const [one, other] = [this.before.flatten(toParts(before)), this.after.flatten(toParts(after))];
    const key = `${one.id} ${other.id} ${direction} ${changes.isXml}`;
    let compared = this.#compared.get(key);
    if (!compared) {
      const walk = new SchemaWalk(this, direction, changes.isXml ?? false);
      this.#visited += walk.run(one, other, this.#visited < maxTotal ? maxPairs : maxFewPairs);
      compared = walk;
      this.#compared.set(key, compared);
    }
    for (const { rule, sentence } of compared.findings) {
      changes.changes.add(rule, capitalize(sentence.replaceAll(root, called)));
    }
    if (compared.hasOtherTexts) changes.noteTexts();
  }

  getStep(before: FlatSchema, after: FlatSchema, direction: Direction, isXml: boolean, depth: number): Step {
    this.#steps[`${direction} ${isXml}`] ??= new Map();
    const steps = this.#steps[`${direction} ${isXml}`]!;
    const key = before.id * idsOfAfter + after.id;
    const known = steps.get(key);
    if (known) return known;
    const step = new SchemaStep(this, direction, isXml, depth);
    step.compare(before, after);
    // Deeper ones may have been cut short.
    if (depth === 0) steps.set(key, step);
    return step;
  }

  /** Compares without sentences. A pair that is being compared counts as the same, so circles end. */
  relate(before: FlatSchema, after: FlatSchema, direction: Direction, depth: number): Relation {
    const key = `${before.id} ${after.id} ${direction}`;
    const known = this.#relations.get(key);
    if (known) return known;
    if (depth > maxRelationDepth) return unknown;
    this.#relations.set(key, same);
    const walk = new SchemaWalk(this, direction, true, depth + 1);
    walk.run(before, after, maxPairsOfRelation);
    const relation = {
      isSame: walk.findings.length === 0,
      isBreaking: walk.findings.some(({ rule }) => isBreaking(rule)),
      hasNewMember: walk.findings.some(({ rule }) => rule.endsWith(".property.added")),
      hasOtherTexts: walk.hasOtherTexts,
    };
    this.#relations.set(key, relation);
    return relation;
  }
}

const same: Relation = { isSame: true, isBreaking: false, hasNewMember: false, hasOtherTexts: false };
const unknown: Relation = { isSame: false, isBreaking: true, hasNewMember: true, hasOtherTexts: true };

/** Where the differences of a value go. */
export interface SchemaChanges {
  changes: Changes;
  noteTexts(): void;
  /** Whether names and namespaces of XML count. */
  isXml?: boolean;
}

/** What two schemas say themselves, and the pairs of schemas that they lead to. */
interface Step {
  findings: Finding[];
  hasOtherTexts: boolean;
  next: Pair[];
}

interface Pair {
  before: FlatSchema;
  after: FlatSchema;
  /** With `root` for what leads to it. */
  called: string;
}

/** Pairs of schemas of one value, the nearest first, so that a sentence names the shortest way to a difference. */
class SchemaWalk implements Compared {
  readonly findings: Finding[] = [];
  hasOtherTexts = false;

  constructor(
    private readonly comparer: SchemaComparer,
    private readonly direction: Direction,
    private readonly isXml: boolean,
    private readonly depth = 0,
  ) {}

  /** @returns the number of pairs */
  run(before: FlatSchema, after: FlatSchema, max: number): number {
    const queue: (Pair & { from: number })[] = [{ before, after, called: root, from: -1 }];
    const seen = new Set([before.id * idsOfAfter + after.id]);
    let breaking = 0;
    const getName = (index: number): string => {
      const { called, from } = queue[index]!;
      return from < 0 ? called : called.replaceAll(root, getName(from));
    };
    for (let index = 0; index < queue.length; index++) {
      const pair = queue[index]!;
      if (index >= max) {
        this.#add(`${this.direction}.other.changed`, `${root} is too large to be compared completely.`);
        return index;
      }
      const step = this.comparer.getStep(pair.before, pair.after, this.direction, this.isXml, this.depth);
      this.hasOtherTexts ||= step.hasOtherTexts;
      for (const { rule, sentence } of step.findings) {
        this.#add(rule, sentence.replaceAll(root, getName(index)));
        if (isBreaking(rule)) breaking += 1;
      }
      // More than are ever listed.
      if (breaking > maxBreaking) return index;
      for (const next of step.next) {
        const key = next.before.id * idsOfAfter + next.after.id;
        if (next.before === next.after || seen.has(key)) continue;
        seen.add(key);
        queue.push({ before: next.before, after: next.after, called: next.called, from: index });
      }
    }
    return queue.length;
  }

  #add(rule: Rule, sentence: string): void {
    this.findings.push({ rule, sentence });
  }
}

/** Compares two schemas without those of their members and items. */
class SchemaStep implements Walk, Step {
  readonly findings: Finding[] = [];
  readonly next: Pair[] = [];
  hasOtherTexts = false;

  constructor(
    private readonly comparer: SchemaComparer,
    readonly direction: Direction,
    readonly isXml: boolean,
    private readonly depth: number,
  ) {}

  get isRequest(): boolean {
    return this.direction === "request";
  }

  compare(before: FlatSchema, after: FlatSchema): void {
    this.hasOtherTexts = !haveSameTexts(before, after);
    if (before.isNever || after.isNever) {
      if (before.isNever && after.isNever) return;
      if (after.isNever) this.report("type", "narrowed", `${root} is no longer allowed.`);
      else this.report("type", "widened", `${root} is allowed now.`);
      return;
    }
    if (compareAlternatives(this, before, after, root) === "completely") return;
    const common = compareValues(this, before, after, root);
    const allows = (type: string) => common === undefined || common.has(type);
    if (allows("object")) compareObjects(this, before, after, root);
    if (allows("array")) compareArrays(this, before, after, root);
  }

  visit(before: readonly unknown[], after: readonly unknown[], called: string): void {
    const [reference, other] = [toReference(before), toReference(after)];
    if (reference !== undefined && reference === other && this.comparer.components.isSame(reference)) return;
    this.visitFlat(this.flattenBefore(before), this.flattenAfter(after), called);
  }

  visitFlat(before: FlatSchema, after: FlatSchema, called: string): void {
    this.next.push({ before, after, called });
  }

  flattenBefore(parts: readonly unknown[]): FlatSchema {
    return this.comparer.before.flatten(parts);
  }

  flattenAfter(parts: readonly unknown[]): FlatSchema {
    return this.comparer.after.flatten(parts);
  }

  relate(before: FlatSchema, after: FlatSchema, direction = this.direction): Relation {
    return this.comparer.relate(before, after, direction, this.depth);
  }

  getEffect(before: FlatSchema, after: FlatSchema): Effect | undefined {
    const narrows = this.relate(before, after, "request").isBreaking;
    const widens = this.relate(before, after, "response").isBreaking;
    return narrows && widens ? "changed" : narrows ? "narrowed" : widens ? "widened" : undefined;
  }

  report(word: SchemaWord, effect: Effect, sentence: string): void {
    this.add(toSchemaRule(this.direction, word, effect), sentence);
  }

  add(rule: Rule, sentence: string): void {
    this.findings.push({ rule, sentence });
  }
}

/** No schema is one that allows anything. */
function toParts(schema: unknown): unknown[] {
  return schema === undefined ? [] : [schema];
}

function toReference(parts: readonly unknown[]): string | undefined {
  const [part] = parts;
  if (parts.length !== 1 || !isRecord(part)) return undefined;
  return typeof part.$ref === "string" && Object.keys(part).length === 1 ? part.$ref : undefined;
}

function isSameJson(before: unknown, after: unknown, components: ChangedComponents): boolean {
  if (before === undefined || after === undefined) return before === after;
  return components.isSameText(JSON.stringify(before), JSON.stringify(after));
}
