import type { DependencySetRow } from "../imported-document.ts";
import type { Components } from "./components.ts";

/**
 * Beyond this an operation's page and its schema check would cost more than they are worth; the nearest ones are
 * stored.
 */
const maxDependencies = 1_000;

/** Sets of components that operations reach, deduplicated: in documents full of circles most operations share one. */
export class DependencySets {
  readonly rows: DependencySetRow[] = [];
  readonly #byRoots = new Map<string, number>();
  readonly #byMembers = new Map<string, number>();

  constructor(private readonly components: Components) {}

  numberFor(roots: number[]): number {
    const rootsKey = roots.join();
    const known = this.#byRoots.get(rootsKey);
    if (known !== undefined) return known;
    const ordinals = this.components.getClosure(roots, maxDependencies).sort((one, other) => one - other);
    const membersKey = ordinals.join();
    let number = this.#byMembers.get(membersKey);
    if (number === undefined) {
      number = this.rows.length;
      this.rows.push({ number, ordinals });
      this.#byMembers.set(membersKey, number);
    }
    this.#byRoots.set(rootsKey, number);
    return number;
  }
}
