/**
 * Makes a look that several may ask for at once: one under way may have begun before the caller's change, so whoever asks
 * meanwhile waits for the one after it, together with all others.
 */
export function lookAgain(lookOnce: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let following: Promise<void> | undefined;
  return function look(): Promise<void> {
    if (!running) {
      running = lookOnce().finally(() => {
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
