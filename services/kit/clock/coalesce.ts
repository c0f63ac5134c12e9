/**
 * Coalesces concurrent looks: a running one may have begun before the caller's change, so further callers share the
 * next one.
 */
export function coalesce(run: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let following: Promise<void> | undefined;
  return function look(): Promise<void> {
    if (!running) {
      running = run().finally(() => {
        running = undefined;
      });
      return running;
    }
    following ??= running.then(() => {
      following = undefined;
      return look();
    });
    return following;
  };
}
