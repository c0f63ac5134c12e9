import type { OperationKey, Resource } from "#contracts/api-registry/resources.ts";
import { Homes } from "../plan/homes.ts";
import { Known, type PlanInput } from "../plan/known.ts";
import { PlannedTests } from "../plan/planned-tests.ts";
import { Supplies } from "../plan/supplies.ts";
import type { Explored, ExploreOptions } from "./exploring.ts";
import { Findings } from "./findings.ts";
import { Life } from "./life.ts";
import { exploreLists } from "./lists.ts";
import { exploreNeeded } from "./needed.ts";
import { type OpenScene, openScene, planScene, type Scene } from "./scene.ts";
import { Session } from "./session.ts";
import type { Exploring } from "./trial.ts";
import { Values } from "./values.ts";

/** Random requests of an operation, and chains of a resource, in one turn of the scenes. */
const roundsOfTurn = { values: 20, chains: 5 };
/** Without anything new, more turns find little. */
const mostTurns = 5;

/**
 * Looks for faults in an API: calls each operation with a valid request, with requests that each break one rule, and with
 * boundary and random values; and each resource with chains of calls. Reports each cause once, as soon as it is found,
 * with the shortest chain and the simplest values that reproduce it.
 */
export async function explore(input: PlanInput, options: ExploreOptions): Promise<Explored> {
  const known = new Known(input);
  const supplies = new Supplies(known, options.changes);
  const parts = { known, supplies, tests: new PlannedTests(known, supplies) };
  const session = new Session(options);
  const findings = new Findings(session, options.onFinding);
  const exploring: Exploring = { session, findings, parts, seed: options.seed };
  const scenes = planScenes();
  await takeTurns();
  return {
    ...{ requests: session.requests, operations: session.operations },
    ...{ isComplete: !session.isEnded, findings: findings.all },
  };

  function planScenes(): Scene[] {
    const homes = new Homes(known, supplies);
    const given = { parts, changes: options.changes, leaveOut: session.leaveOut.bind(session) };
    const byResource = new Map<Resource, OperationKey[]>();
    const alone: OperationKey[] = [];
    for (const operation of input.wanted) {
      const home = homes.find(operation);
      if (!home) alone.push(operation);
      else byResource.set(home, [...(byResource.get(home) ?? []), operation]);
    }
    return [
      ...[...byResource].map(([resource, operations]) => planScene(resource, operations, given)),
      ...alone.map((operation) => planScene(undefined, [operation], given)),
    ].filter(({ drafts, own }) => drafts.length > 0 || own);
  }

  /** What finds most comes first, for all scenes, within a fair part of what is left for each. */
  async function takeTurns(): Promise<void> {
    const visits = scenes.map((scene) => new Visit(exploring, scene));
    const turns: ((visit: Visit) => Promise<void>)[] = [
      (visit) => visit.exploreUsual(),
      (visit) => visit.exploreRules(),
      (visit) => visit.exploreBoundaries(),
      ...Array.from({ length: mostTurns }, (_, turn) => (visit: Visit) => visit.exploreRandom(turn)),
    ];
    for (const turn of turns) {
      for (const [index, visit] of visits.entries()) {
        if (session.isEnded) return;
        session.allow((2 * session.left) / (visits.length - index));
        await visit.visit(turn);
      }
    }
  }
}

/** A scene with what is known of it from earlier turns. */
class Visit {
  #values: Values[] = [];
  #life: Life | undefined;
  #open: OpenScene | undefined;

  constructor(
    private readonly exploring: Exploring,
    private readonly scene: Scene,
  ) {}

  async visit(turn: (visit: Visit) => Promise<void>): Promise<void> {
    const { session } = this.exploring;
    const open = await openScene(this.scene, session);
    const isFirst = this.#open === undefined;
    // Those who know it see what it has now.
    if (this.#open) Object.assign(this.#open, open);
    else this.#open = open;
    if (isFirst) {
      const { drafts, own } = this.scene;
      const all = own ? [own.creation, ...drafts] : drafts;
      this.#values = all
        .filter(({ operation }) => operation.method !== "delete")
        .map((draft) => new Values(this.exploring, this.#open!, draft));
      this.#life = own && new Life(this.exploring, this.#open);
    }
    try {
      await turn(this);
    } finally {
      await open.close();
    }
  }

  async exploreUsual(): Promise<void> {
    for (const values of this.#values) await values.exploreUsual();
    await this.#life?.exploreWhole();
    await exploreLists(this.exploring, this.#open!);
    await exploreNeeded(this.exploring, this.scene);
  }

  async exploreRules(): Promise<void> {
    for (const values of this.#values) {
      await values.exploreUnknown();
      await values.exploreRules();
    }
  }

  async exploreBoundaries(): Promise<void> {
    for (const values of this.#values) await values.exploreBoundaries();
  }

  async exploreRandom(turn: number): Promise<void> {
    for (const values of this.#values) await values.exploreRandom(roundsOfTurn.values, turn);
    await this.#life?.exploreRandom(roundsOfTurn.chains, turn);
  }
}
