import type { ReactNode } from "react";
import * as styles from "./action-list.css";

export interface ActionListProps {
  /** As the steps of one way are. */
  ordered?: boolean;
  children: ReactNode;
}

/** Rows within a card, each with what can be done about it at its end. */
export function ActionList({ ordered = false, children }: ActionListProps) {
  const List = ordered ? "ol" : "ul";
  return <List className={styles.list}>{children}</List>;
}

export interface ActionItemProps {
  title: string;
  /** Of the title, beneath the card's own. */
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
