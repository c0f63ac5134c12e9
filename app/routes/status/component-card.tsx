import type { PublishedComponent } from "#contracts/test-analyzer/status-pages.ts";
import { statusWords } from "~/features/status/status-words";
import { Badge } from "~/ui/badge/badge";
import { Card } from "~/ui/card/card";
import { Stack } from "~/ui/layout/layout";
import { Moment } from "~/ui/moment/moment";
import { History } from "./history";
import * as styles from "./page.css";

/** One of several circles: its current state and its history. */
export function ComponentCard({ component }: { component: PublishedComponent }) {
  const { name, standing, since, checkedAt } = component;
  const { tone, word } = statusWords[standing];
  return (
    <Card title={name} actions={<Badge tone={tone}>{capitalized(word)}</Badge>}>
      <Stack>
        <p className={styles.small}>
          {since && (
            <>
              Since <Moment value={since} />.{" "}
            </>
          )}
          {checkedAt ? (
            <>
              Last checked <Moment value={checkedAt} />.
            </>
          ) : (
            "Not checked yet."
          )}
        </p>
        <History history={component} name={name} />
      </Stack>
    </Card>
  );
}

const capitalized = (word: string) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
