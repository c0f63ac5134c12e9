import fc from "fast-check";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import { LifeRun, type LifeStep, lifeSteps } from "./life-run.ts";
import type { OpenScene } from "./scene.ts";
import { hashSeed } from "./seeds.ts";
import { dropNeedless, shrink } from "./shrinking.ts";
import { type Exploring, type Sighting, sees } from "./trial.ts";

/**
 * What every resource is tried with: read twice, read beside its list, changed, sent again, deleted, and used after that.
 * What a document lacks is left out.
 */
const wholeLife: LifeStep[] = [
  ...(["read", "read", "list", "read", "readUnchanged", "changeStale", "change", "read"] as const),
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

/** Calls after the creation; with it five, as many as people follow. */
const longestChain = 4;

/** Explores chains of requests to one that the exploration makes. */
export class Life {
  #isStuck = false;

  constructor(
    private readonly exploring: Exploring,
    private readonly scene: OpenScene,
  ) {}

  async exploreWhole(): Promise<void> {
    await this.#judge(wholeLife, (fails) => dropNeedless(wholeLife, fails));
  }

  async exploreRandom(rounds: number, from: number): Promise<void> {
    const { resource } = this.scene;
    const steps = lifeSteps.filter((step) => step !== "readUnchanged" && step !== "changeStale");
    const chains = fc.array(fc.constantFrom(...steps), { minLength: 2, maxLength: longestChain });
    const random = new fc.Random(xoroshiro128plus(hashSeed(this.exploring.seed, `${resource?.key} ${from}`)));
    for (let round = 0; round < rounds && !this.#isOver; round += 1) {
      const made = chains.generate(random, undefined);
      await this.#judge(made.value, (fails) => shrink(chains, { value: made.value, context: made.context }, fails));
    }
  }

  get #isOver(): boolean {
    return this.#isStuck || this.exploring.session.isOver;
  }

  async #judge(
    steps: readonly LifeStep[],
    simplify: (fails: (steps: LifeStep[]) => Promise<boolean>) => Promise<LifeStep[]>,
  ): Promise<void> {
    const { findings } = this.exploring;
    for (const sighting of await this.#run(steps)) {
      if (findings.seeAgain(sighting.violation, sighting.operation)) continue;
      const again = async (others: readonly LifeStep[]) => sees(await this.#run(others), sighting.violation);
      const simplest = await simplify(async (others) => !this.#isOver && (await again(others)) !== undefined);
      const last = await again(simplest);
      findings.add({ ...(last ?? sighting), isRepeated: last !== undefined });
    }
  }

  async #run(steps: readonly LifeStep[]): Promise<Sighting[]> {
    if (this.#isStuck) return [];
    const run = new LifeRun(this.exploring, this.scene);
    const isClean = await run.run(steps);
    if (!isClean) this.#isStuck = true;
    return run.sightings;
  }
}
