import { isBreaking, type Rule } from "./rules.ts";

/** One difference between two versions of an operation. */
export interface Change {
  rule: Rule;
  /** Whether it may break clients. */
  breaking: boolean;
  sentence: string;
}

/** Collects the differences of one operation, up to a limit: the breaking ones first. */
export class Changes {
  readonly #breaking: Change[] = [];
  readonly #others: Change[] = [];
  readonly #known = new Set<string>();

  constructor(private readonly max = 30) {}

  get count(): number {
    return this.#breaking.length + this.#others.length;
  }

  add(rule: Rule, whole: string): void {
    const sentence = shorten(whole);
    if (this.#known.has(sentence)) return;
    this.#known.add(sentence);
    const breaking = isBreaking(rule);
    (breaking ? this.#breaking : this.#others).push({ rule, breaking, sentence });
  }

  /** @returns the first ones, and how many more there are */
  finish(): { breaking: boolean; changes: Change[]; moreCount: number } {
    const all = [...this.#breaking, ...this.#others];
    const changes = all.slice(0, this.max);
    return { breaking: this.#breaking.length > 0, changes, moreCount: all.length - changes.length };
  }
}

/** Names and values of a document may be of any length. */
export function shorten(text: string, max = 600): string {
  return text.length > max ? `${text.slice(0, max)}…` : text;
}

export function capitalize(text: string): string {
  return text === "" ? "" : text[0]!.toUpperCase() + text.slice(1);
}
