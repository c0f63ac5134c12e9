import { Problem } from "#contracts/kit/problem.ts";

/**
 * Runs a few expensive tasks at once, queues some and refuses the rest, so that a flood costs bounded memory and time.
 */
export function createTurns(options: { atOnce: number; waiting: number }): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0;
  const queue: (() => void)[] = [];
  return async (work) => {
    if (running >= options.atOnce) {
      if (queue.length >= options.waiting) {
        throw new Problem("too_many_requests", "Too many people are signing in at this moment.", {
          retryAfterSeconds: 2,
        });
      }
      await new Promise<void>((resolve) => queue.push(resolve));
    } else running += 1;
    try {
      return await work();
    } finally {
      // The slot passes on directly, so that a new task can't overtake the queue.
      const next = queue.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
