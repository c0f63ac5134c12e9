import type { OperationKey, Resource } from "#contracts/api-registry/resources.ts";
import type { PlannedCircle, PlannedStep, StepKind } from "#contracts/test-analyzer/suite-plans.ts";
import type { MemberEffect } from "#contracts/test-registry/circle-members.ts";
import { listPlaceholders } from "#libraries/template/placeholders.ts";
import type { Known } from "./known.ts";
import type { Draft, PlannedTests } from "./planned-tests.ts";
import type { Supplies, Supply } from "./supplies.ts";
import { inWords, withArticle } from "./words.ts";

export interface StepOptions {
  phase?: PlannedStep["phase"];
  effect?: MemberEffect;
  why?: string;
}

export interface PlanParts {
  known: Known;
  supplies: Supplies;
  tests: PlannedTests;
}

interface Unmaking {
  /** Looks afterwards. */
  gone?: Draft | undefined;
  /** What used it may have removed it. */
  mayBeGone?: boolean;
}

/** A circle that is being planned: each step brings what it needs into the set-up, and its removal into the tear-down. */
export class CircleDraft {
  readonly steps: PlannedStep[] = [];
  readonly tests = new Map<string, Draft>();
  readonly makes: string[] = [];
  readonly leaves: string[] = [];
  readonly leftOut: PlannedCircle["leftOut"] = [];
  readonly #setUp: PlannedStep[] = [];
  readonly #tearDown: PlannedStep[] = [];
  /** Removals, in reverse order of what was made: first of what is part of its own resource, last of what it needs. */
  readonly #removals = { main: [] as PlannedStep[], setUp: [] as PlannedStep[] };
  #own: Resource | undefined;
  #isLate = false;
  readonly #supplied = new Set<string>();
  readonly #variables = new Map<string, string>();

  constructor(private readonly parts: PlanParts) {}

  /** A step with what it needs. */
  add(does: StepKind, draft: Draft, options: StepOptions = {}): void {
    // What only a further call needs must not keep the life of the resource from running.
    this.#isLate = does === "call" && this.#own !== undefined;
    this.#put(does, draft, options);
    this.#isLate = false;
  }

  #put(does: StepKind, draft: Draft, options: StepOptions): void {
    const { phase = "main", effect, why = "" } = options;
    this.#require(draft, phase);
    const step: PlannedStep = { test: draft.key, does, phase, why, ...(effect ? { effect } : {}) };
    if (phase === "tearDown") this.#tearDown.push(step);
    else (phase === "setUp" ? this.#setUp : this.steps).push(step);
  }

  /** Makes what the circle is about. */
  makeOwn(supply: Supply): Draft {
    this.#own = supply.resource;
    return this.#make(supply, "main");
  }

  #make(supply: Supply, phase: "main" | "setUp", why = ""): Draft {
    const { tests, supplies } = this.parts;
    const { resource } = supply;
    const draft = tests.create(supply);
    this.#supplied.add(resource.key);
    this.#put("create", draft, { phase, effect: "makes", why });
    this.makes.push(withArticle(resource.name));
    if (!supplies.isRemoved(resource)) this.leaves.push(withArticle(resource.name));
    return draft;
  }

  /** Puts something into one that another request refers to, before that request. */
  #fill(resource: Resource, phase: "main" | "setUp"): void {
    for (const operation of this.parts.supplies.findFillings(resource)) {
      const draft = this.parts.tests.call(operation);
      const why = `An empty ${resource.name} may not be accepted.`;
      const effect = this.parts.supplies.findJoining(operation) && "allowed";
      if (draft) this.#put("call", draft, { phase, why, ...(effect ? { effect } : {}) });
    }
  }

  /** Reads the identifier of one that is there, before the rest or before what needs it. */
  take(supply: Supply, does: "take" | "list", why = ""): void {
    this.#supplied.add(supply.resource.key);
    this.#put(does, this.parts.tests.take(supply), { phase: this.#isLate ? "main" : "setUp", why });
  }

  /** Removes what was made in a phase, and looks whether it is gone. */
  unmake(resource: Resource, phase: "main" | "setUp", { gone, mayBeGone }: Unmaking = {}): void {
    const { remove } = resource.operations;
    const draft = remove && this.parts.tests.remove(resource, remove, mayBeGone);
    if (!draft) return;
    if (draft.asks.length > 0) {
      this.omit(draft.operation, `It needs ${inWords(draft.asks)}, which only a person knows.`);
      return;
    }
    this.#require(draft, "tearDown");
    const steps: PlannedStep[] = [{ test: draft.key, does: "remove", phase: "tearDown", why: "" }];
    if (gone) {
      this.#require(gone, "tearDown");
      steps.push({ test: gone.key, does: "findGone", phase: "tearDown", why: "" });
    }
    this.#removals[phase].unshift(...steps);
  }

  omit(operation: OperationKey, reason: string): void {
    this.leftOut.push({ operation: { method: operation.method, path: operation.path }, reason });
  }

  finish(): Pick<PlannedCircle, "steps" | "variables" | "makes" | "leaves" | "leftOut"> {
    return {
      steps: [...this.#setUp, ...this.steps, ...this.#tearDown, ...this.#removals.main, ...this.#removals.setUp],
      variables: [...this.#variables].map(([name, value]) => ({ name, value, secret: false })),
      ...{ makes: this.makes, leaves: this.leaves, leftOut: this.leftOut },
    };
  }

  #require(draft: Draft, phase: PlannedStep["phase"]): void {
    if (this.tests.has(draft.key)) return;
    this.tests.set(draft.key, draft);
    for (const [name, template] of draft.generated) this.#variables.set(name, template);
    for (const resource of draft.resources) this.#supply(resource, draft, phase);
  }

  #supply(resource: Resource, wanting: Draft, wantedIn: PlannedStep["phase"]): void {
    if (this.#supplied.has(resource.key)) return;
    this.#supplied.add(resource.key);
    const supply = this.parts.supplies.find(resource);
    if (!supply) return;
    const { method, path } = wanting.operation;
    const why = `${method.toUpperCase()} ${path} needs ${withArticle(resource.name)}.`;
    if (supply.kind === "take") this.take(supply, "take", why);
    else {
      // A part of its own resource can't be made before that is there.
      const isPart = this.#own && this.parts.supplies.dependsOn(supply, this.#own);
      const phase = isPart || this.#isLate ? "main" : "setUp";
      // What it needs itself is made before it, and so removed after it.
      this.#make(supply, phase, why);
      // A basket is empty at first, and gone once it was ordered.
      const { request, data } = wanting.test;
      const isUsed = listPlaceholders(JSON.stringify([request.body, data])).includes(resource.variable);
      this.unmake(resource, phase, { mayBeGone: isUsed });
      // In a life it fails for itself: a set-up that fails would keep the rest from running.
      if (isUsed) this.#fill(resource, this.#own && wantedIn === "main" ? "main" : "setUp");
    }
  }
}
