import type { ReactNode } from "react";
import * as styles from "./action-list.css";

export interface ActionListProps {
  /** Numbers the rows, for the steps of a procedure. */
  ordered?: boolean;
  children: ReactNode;
}

/** Rows within a card, each with its action at the end. */
export function ActionList({ ordered = false, children }: ActionListProps) {
  const List = ordered ? "ol" : "ul";
  return <List className={styles.list}>{children}</List>;
}

export interface ActionItemProps {
  title: string;
  /** Heading level of the title, below the card's own. */
  headingLevel: 2 | 3;
  description: string;
  /** A link or a form. */
  children?: ReactNode;
}

export function ActionItem({ title, headingLevel, description, children }: ActionItemProps) {
  const Heading = `h${headingLevel}` as const;
  return (
    <li className={styles.item}>
      <div className={styles.words}>
        <Heading className={styles.title}>{title}</Heading>
        <p className={styles.description}>{description}</p>
      </div>
      {children}
    </li>
  );
}
