import type { PublishedUpdate } from "#contracts/test-analyzer/status-updates.ts";
import { Card } from "~/ui/card/card";
import { Stack } from "~/ui/layout/layout";
import { Moment } from "~/ui/moment/moment";
import * as styles from "./page.css";

const maxDisplayed = 20;

/** What happened lately by day (UTC), newest first. */
export function Updates({ updates }: { updates: readonly PublishedUpdate[] }) {
  if (updates.length === 0) return null;
  return (
    <Card title="Updates">
      <Stack>
        {groupByDay(updates.slice(0, maxDisplayed)).map(([day, ofDay]) => (
          <section key={day}>
            <h3 className={styles.day}>{dayWords(day)}</h3>
            <ul className={styles.incidents}>
              {ofDay.map(({ id, at, title, text }) => (
                <li key={id}>
                  {title}
                  {text && <p className={styles.words}>{text}</p>}
                  <p className={styles.small}>
                    <Moment value={at} />
                  </p>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </Stack>
    </Card>
  );
}

function groupByDay(updates: readonly PublishedUpdate[]): [day: string, updates: PublishedUpdate[]][] {
  const days = new Map<string, PublishedUpdate[]>();
  for (const update of updates) {
    const day = update.at.slice(0, "2026-11-29".length);
    days.set(day, [...(days.get(day) ?? []), update]);
  }
  return [...days];
}

const dayWords = (day: string) =>
  new Date(day).toLocaleDateString("en-GB", { weekday: "long", day: "numeric", month: "long", timeZone: "UTC" });
