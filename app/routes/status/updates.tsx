import type { PublishedUpdate } from "#contracts/test-analyzer/status-updates.ts";
import { Card } from "~/ui/card/card";
import { Moment } from "~/ui/moment/moment";
import * as styles from "./page.css";

const maxDisplayed = 10;

/** What happened lately, newest first. */
export function Updates({ updates }: { updates: readonly PublishedUpdate[] }) {
  if (updates.length === 0) return null;
  return (
    <Card title="Updates">
      <ul className={styles.incidents}>
        {updates.slice(0, maxDisplayed).map(({ id, at, title, text }) => (
          <li key={id}>
            {title}
            {text && <p className={styles.words}>{text}</p>}
            <p className={styles.small}>
              <Moment value={at} />
            </p>
          </li>
        ))}
      </ul>
    </Card>
  );
}
