import { formatCount } from "./format-count.ts";

/** `1 operation`, `2,100 operations`. */
export function plural(count: number, noun: string, nouns = `${noun}s`): string {
  return `${formatCount(count)} ${count === 1 ? noun : nouns}`;
}
