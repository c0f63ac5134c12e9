import type { ReactNode } from "react";
import type { ServicePricing } from "#contracts/portal-service/plans.ts";
import { Badge } from "~/ui/badge/badge";
import { Icon } from "~/ui/icon/icon";
import { joinClasses } from "~/ui/join-classes";
import * as styles from "./plan-cards.css";
import { amountWords, limitWords, trialWords } from "./plan-words";

export interface PlanCardProps {
  plan: ServicePricing;
  /** Highlights it, and says why: "Your plan". */
  mark?: string;
  /** Heading level of the name; the page decides, since only it knows the outline. */
  headingLevel?: 2 | 3;
  /** The action for the plan: a full-width link or button. */
  action?: ReactNode;
}

/** Plans in a row, or stacked on narrow screens; contains `PlanCard`s. */
export function PlanCards({ children }: { children: ReactNode }) {
  return <ul className={styles.cards}>{children}</ul>;
}

/** One plan: its price and its limits. */
export function PlanCard({ plan, mark, headingLevel = 3, action }: PlanCardProps) {
  const Heading = `h${headingLevel}` as const;
  return (
    <li className={joinClasses(styles.card, mark && styles.marked)}>
      <div className={styles.head}>
        <div className={styles.nameLine}>
          <Heading className={styles.name}>{plan.name}</Heading>
          {mark && (
            <Badge tone="info" icon={null}>
              {mark}
            </Badge>
          )}
        </div>
        <p className={styles.description}>{plan.description}</p>
      </div>
      <p className={styles.price}>
        <span className={styles.amount}>{amountWords(plan.price)}</span>
        <span className={styles.interval}>a {plan.price.interval}</span>
        {plan.trialDays > 0 && <span className={styles.trial}>First {trialWords(plan.trialDays)}</span>}
      </p>
      <ul className={styles.limits}>
        {limitWords(plan.limits).map((words) => (
          <li key={words} className={styles.limit}>
            <Icon name="check" className={styles.tick} />
            {words}
          </li>
        ))}
      </ul>
      {action && <div>{action}</div>}
    </li>
  );
}
