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

const maxPairs = 4_000;
const maxPairsOfRelation = 200;
const maxRelationDepth = 6;

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
  readonly #compared = new Map<string, Compared>();
  readonly #relations = new Map<string, Relation>();

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
      walk.run(one, other, maxPairs);
      compared = walk;
      this.#compared.set(key, compared);
    }
    for (const { rule, sentence } of compared.findings) {
      changes.changes.add(rule, capitalize(sentence.replaceAll(root, called)));
    }
    if (compared.hasOtherTexts) changes.noteTexts();
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

/** Pairs of schemas of one value, the nearest first, so that a sentence names the shortest way to a difference. */
class SchemaWalk implements Walk, Compared {
  readonly findings: Finding[] = [];
  hasOtherTexts = false;
  readonly #queue: { before: FlatSchema; after: FlatSchema; called: string }[] = [];
  readonly #seen = new Set<string>();

  constructor(
    private readonly comparer: SchemaComparer,
    readonly direction: Direction,
    readonly isXml: boolean,
    readonly depth = 0,
  ) {}

  get isRequest(): boolean {
    return this.direction === "request";
  }

  run(before: FlatSchema, after: FlatSchema, max: number): void {
    this.visitFlat(before, after, root);
    for (let index = 0; index < this.#queue.length; index++) {
      const pair = this.#queue[index]!;
      if (index >= max) {
        this.report("other", "changed", `${root} is too large to be compared completely.`);
        return;
      }
      this.#compare(pair.before, pair.after, pair.called);
    }
  }

  visit(before: readonly unknown[], after: readonly unknown[], called: string): void {
    const [reference, other] = [toReference(before), toReference(after)];
    if (reference !== undefined && reference === other && this.comparer.components.isSame(reference)) return;
    this.visitFlat(this.comparer.before.flatten(before), this.comparer.after.flatten(after), called);
  }

  visitFlat(before: FlatSchema, after: FlatSchema, called: string): void {
    if (before === after) return;
    const key = `${before.id} ${after.id}`;
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    this.#queue.push({ before, after, called });
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

  #compare(before: FlatSchema, after: FlatSchema, called: string): void {
    if (!this.hasOtherTexts && !haveSameTexts(before, after)) this.hasOtherTexts = true;
    if (before.isNever || after.isNever) {
      if (before.isNever && after.isNever) return;
      if (after.isNever) this.report("type", "narrowed", `${capitalize(called)} is not allowed any more.`);
      else this.report("type", "widened", `${capitalize(called)} is allowed now.`);
      return;
    }
    if (compareAlternatives(this, before, after, called) === "completely") return;
    const common = compareValues(this, before, after, called);
    const allows = (type: string) => common === undefined || common.has(type);
    if (allows("object")) compareObjects(this, before, after, called);
    if (allows("array")) compareArrays(this, before, after, called);
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
