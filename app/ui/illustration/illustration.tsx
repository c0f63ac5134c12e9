import * as styles from "./illustration.css";
import { illustrationPaths } from "./illustration-paths";

export type IllustrationName = keyof typeof illustrationPaths;

/** A small drawing above the words that say the same; hidden from screen readers. */
export function Illustration({ name }: { name: IllustrationName }) {
  const { tint, line, accent } = illustrationPaths[name];
  return (
    <svg className={styles.illustration} viewBox="0 0 96 72" width="96" height="72" aria-hidden="true">
      <path d={tint} className={styles.tint} />
      <path d={line} />
      <path d={accent} className={styles.accent} />
    </svg>
  );
}
