import * as fc from "fast-check";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import { isSafe } from "#libraries/openapi/safe-methods.ts";
import { ValueChecker } from "#libraries/openapi/sample/value-checker.ts";
import { removesByPost } from "../plan/effect-by-name.ts";
import { toKey } from "../plan/known.ts";
import { listInstances } from "../suggestion/body-placeholders.ts";
import { findChanging, listAlterable } from "./alterable.ts";
import { listOptional } from "./full-call.ts";
import { LifeRun, type LifeStep, lifeSteps } from "./life-run.ts";
import type { Change } from "./places.ts";
import type { OpenScene } from "./scene.ts";
import { hashSeed } from "./seeds.ts";
import { dropNeedless, shrink } from "./shrinking.ts";
import { type Exploring, mostLeft, type Sighting, sees, Trial } from "./trial.ts";

/**
 * What every resource is tried with: read twice, read beside its list, changed, sent again, deleted, and used after that.
 * What a document lacks is left out.
 */
const wholeLife: LifeStep[] = [
  ...([
    "read",
    "read",
    "list",
    "replaceAgain",
    "read",
    "list",
    "read",
    "readUnchanged",
    "changeStale",
    "change",
    "read",
  ] as const),
  ...([
    "replace",
    "read",
    "list",
    "replaceAgain",
    "read",
    "list",
    "remove",
    "read",
    "list",
    "change",
    "replace",
    "remove",
  ] as const),
];

const encodedStarts = ["a/", "é漢😀 ", "1%2", "a?b#"];

/** Calls after the creation; with it five, as many as people follow. */
const longestChain = 4;

/** A chain, and with which values the one was made that it is about. */
interface Chain {
  steps: LifeStep[];
  changes: Change[];
  /** Another template of the name that its client chooses. */
  name?: string;
}

/** Explores chains of requests to one that the exploration makes. */
export class Life {
  /** Of what it made, what could not be removed. */
  #left = 0;
  #hasEntityTags = false;

  constructor(
    private readonly exploring: Exploring,
    private readonly scene: OpenScene,
  ) {}

  /** One with what is required, one with everything, and what else can be done with one. */
  async exploreWhole(): Promise<void> {
    const { parts, seed } = this.exploring;
    const { operation } = this.scene.own!.creation;
    const optional = listOptional(
      parts.known.operations.get(toKey(operation))!,
      parts.tests.calls.find(operation)!,
      seed,
    );
    const others = this.#listOthers();
    const chains: Chain[] = [
      { steps: wholeLife, changes: [] },
      { steps: ["removeOpen"], changes: [] },
      ...(optional.length > 0 ? [{ steps: wholeLife, changes: optional }] : []),
      ...others.map((call): Chain => ({ steps: [call, "read", call, "list", "change", "remove"], changes: [] })),
      ...(others.length > 0 ? [{ steps: ["remove" as const, ...others], changes: [] }] : []),
      ...this.#listNames().map((name): Chain => ({ steps: ["read", "change", "replace"], changes: [], name })),
    ];
    for (const chain of chains) {
      if (this.#isOver) return;
      await this.#judge(chain, async (fails) => {
        const steps = await dropNeedless(chain.steps, (fewer) => fails({ ...chain, steps: fewer }));
        if (await fails({ ...chain, steps, changes: [] })) return { ...chain, steps, changes: [] };
        const changes = await dropNeedless(chain.changes, (fewer) => fails({ ...chain, steps, changes: fewer }));
        return { ...chain, steps, changes };
      });
    }
    if (this.#hasEntityTags) await this.#exploreTags();
  }

  /** Where a client chooses the name in the path: names that have to be encoded there. */
  #listNames(): string[] {
    const { own, resource } = this.scene;
    const { operation, generated } = own!.creation;
    const usual = generated.get(resource!.variable);
    if (operation.method !== "put" || usual === undefined) return [];
    const { operation: described, components } = this.exploring.parts.known.operations.get(toKey(operation))!;
    const schema = described.parameters.find(
      ({ in: place, name }) => place === "path" && name === resource!.parameter,
    )?.schema;
    const source = { find: (reference: string) => components[reference] };
    const isValid = (text: string) => new ValueChecker("request", source).isValid(text, schema);
    return encodedStarts.map((start) => start + usual).filter((template) => listInstances(template).every(isValid));
  }

  /** Whatever is changed of one, it has another ETag. */
  async #exploreTags(): Promise<void> {
    const { known, tests } = this.exploring.parts;
    const operation = findChanging(this.scene);
    const described = operation && known.operations.get(toKey(operation));
    const call = operation && tests.calls.find(operation);
    for (const { place } of described && call ? listAlterable(described, call) : []) {
      if (this.#isOver) return;
      const steps: LifeStep[] = [`alter 0 ${place.key}`, "read", `alter 1 ${place.key}`, "read"];
      await this.#judge({ steps, changes: [] }, async () => ({ steps, changes: [] }));
    }
  }

  async exploreRandom(rounds: number, from: number): Promise<void> {
    const { resource } = this.scene;
    const steps: LifeStep[] = [...lifeSteps, ...this.#listOthers()];
    const chains = fc.array(fc.constantFrom(...steps), { minLength: 2, maxLength: longestChain });
    const random = new fc.Random(xoroshiro128plus(hashSeed(this.exploring.seed, `${resource?.key} ${from}`)));
    for (let round = 0; round < rounds && !this.#isOver; round += 1) {
      const made = chains.generate(random, undefined);
      await this.#judge({ steps: made.value, changes: [] }, async (fails) => ({
        steps: await shrink(chains, { value: made.value, context: made.context }, (fewer) =>
          fails({ steps: fewer, changes: [] }),
        ),
        changes: [],
      }));
    }
  }

  get #isOver(): boolean {
    return this.#left > mostLeft || this.exploring.session.isOver;
  }

  /** What changes one by a call of its own, and is no creation, change or removal. */
  #listOthers(): LifeStep[] {
    const { resource, drafts } = this.scene;
    const roles = new Set(Object.values(resource?.operations ?? {}).map(toKey));
    return drafts
      .filter(({ operation }) => !isSafe(operation.method) && !roles.has(toKey(operation)) && !removesByPost(operation))
      .map(({ operation }): LifeStep => `call ${toKey(operation)}`);
  }

  async #judge(chain: Chain, simplify: (fails: (chain: Chain) => Promise<boolean>) => Promise<Chain>): Promise<void> {
    const { findings } = this.exploring;
    const creation = toKey(this.scene.own!.creation.operation);
    for (const sighting of await this.#run(chain)) {
      // Which of its values is the cause is found where values are explored.
      if (chain.changes.length > 0 && toKey(sighting.operation) === creation) continue;
      if (findings.seeAgain(sighting.violation, sighting.operation)) continue;
      const again = async (other: Chain) => sees(await this.#run(other), sighting.violation);
      const simplest = await simplify(async (other) => !this.#isOver && (await again(other)) !== undefined);
      const last = await again(simplest);
      const shortest = (last && (await this.#seeAlone(last))) ?? last;
      findings.add({ ...withName(shortest ?? sighting, chain), isRepeated: last !== undefined });
    }
  }

  /** Whether its last request shows it without the life of one, such as a list of what was there before. */
  async #seeAlone({ steps, operation, violation }: Sighting): Promise<Sighting | undefined> {
    const step = steps.findLast(({ phase }) => phase === "main");
    if (!step || !isSafe(operation.method) || this.#isOver) return undefined;
    const trial = new Trial(this.exploring, this.scene, true);
    await trial.send(step);
    return sees(trial.sightings, violation);
  }

  async #run({ steps, changes, name }: Chain): Promise<Sighting[]> {
    if (this.#left > mostLeft) return [];
    const run = new LifeRun(this.exploring, this.scene);
    if (!(await run.run(steps, changes, name))) this.#left += 1;
    this.#hasEntityTags ||= run.hasTags;
    return run.sightings;
  }
}

/** With the name that its client chose, if that is the cause. */
function withName(sighting: Sighting, { name }: Chain): Sighting {
  if (name === undefined) return sighting;
  const { violation } = sighting;
  return {
    ...sighting,
    violation: { ...violation, says: `${violation.says}, with the name \`${listInstances(name)[0]}\`` },
  };
}
