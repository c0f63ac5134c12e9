import { LinkButton } from "~/ui/button/button";
import { Card } from "~/ui/card/card";
import { plural } from "~/ui/count/plural";
import type { SetUpStep } from "./set-up";
import * as styles from "./set-up-card.css";

/** The remaining set-up steps, one line each. The card disappears with the last. */
export function SetUpCard({ steps }: { steps: readonly SetUpStep[] }) {
  if (steps.length === 0) return null;
  return (
    <Card title="Get started" description={`${plural(steps.length, "step")} left`} flush>
      <ol className={styles.list}>
        {steps.map(({ title, sentence, action, href, optional }, index) => (
          <li key={title} className={styles.step}>
            <span className={styles.words}>
              <strong className={styles.title}>{title}</strong> <span className={styles.sentence}>{sentence}</span>
            </span>
            {href && (
              <LinkButton href={href} size="small" variant={index === 0 && !optional ? "primary" : "secondary"}>
                {action}
              </LinkButton>
            )}
          </li>
        ))}
      </ol>
    </Card>
  );
}
