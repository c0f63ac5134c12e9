import type { TryLimit } from "./try-limit.ts";

/** Beyond this many keys, the ones counted first are forgotten. */
const maxKeys = 10_000;

/** Tries of this process, in memory: for the time in which none can be stored. */
export class RecentTries {
  readonly #moments = new Map<string, number[]>();

  /** @returns false if the limit is reached; the try is then not counted */
  count(key: string, limit: TryLimit, now: Date): boolean {
    const since = now.getTime() - limit.windowMilliseconds;
    const moments = (this.#moments.get(key) ?? []).filter((moment) => moment > since);
    const isWithin = moments.length < limit.tries;
    if (isWithin) moments.push(now.getTime());
    this.#moments.set(key, moments);
    const [first] = this.#moments.keys();
    if (this.#moments.size > maxKeys && first !== undefined) this.#moments.delete(first);
    return isWithin;
  }

  takeBack(key: string, now: Date): void {
    const moments = this.#moments.get(key) ?? [];
    const index = moments.lastIndexOf(now.getTime());
    if (index >= 0) moments.splice(index, 1);
  }
}
