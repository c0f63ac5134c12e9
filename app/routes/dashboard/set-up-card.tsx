import { LinkButton } from "~/ui/button/button";
import { Card } from "~/ui/card/card";
import { plural } from "~/ui/count/plural";
import type { SetUpStep } from "./set-up";
import * as styles from "./set-up-card.css";

/** What is left to set up; each step goes when it is done, and the card with the last. */
export function SetUpCard({ steps }: { steps: readonly SetUpStep[] }) {
  if (steps.length === 0) return null;
  return (
    <Card title="Get started" description={`${plural(steps.length, "step")} left`} flush>
      <ol className={styles.list}>
        {steps.map(({ title, sentence, action, href }, index) => (
          <li key={title} className={styles.item}>
            <div className={styles.words}>
              <h3 className={styles.title}>{title}</h3>
              <p className={styles.sentence}>{sentence}</p>
            </div>
            {href && (
              <LinkButton href={href} variant={index === 0 ? "primary" : "secondary"}>
                {action}
              </LinkButton>
            )}
          </li>
        ))}
      </ol>
    </Card>
  );
}
