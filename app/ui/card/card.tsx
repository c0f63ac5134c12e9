import type { ComponentPropsWithoutRef, ReactNode } from "react";
import { joinClasses } from "~/ui/join-classes";
import * as styles from "./card.css";

export interface CardProps extends Omit<ComponentPropsWithoutRef<"section">, "title"> {
  title?: ReactNode;
  /** Heading level of the title; the page decides, since only it knows the outline. */
  headingLevel?: 2 | 3 | 4;
  description?: ReactNode;
  actions?: ReactNode;
  footer?: ReactNode;
  /** Keeps the footer in view while the card is taller than the screen. */
  stickyFooter?: boolean;
  /** Removes the padding, for a list or a plot. */
  flush?: boolean;
}

/** One subject, framed. */
export function Card(props: CardProps) {
  const {
    title,
    headingLevel = 2,
    description,
    actions,
    footer,
    stickyFooter,
    flush,
    className,
    children,
    ...rest
  } = props;
  const Heading = `h${headingLevel}` as const;
  return (
    <section {...rest} className={joinClasses(styles.card, className)}>
      {(title || actions) && (
        <header className={styles.header}>
          <div>
            {title && <Heading className={styles.title}>{title}</Heading>}
            {description && <p className={styles.description}>{description}</p>}
          </div>
          {actions && <div className={styles.actions}>{actions}</div>}
        </header>
      )}
      {children && <div className={flush ? styles.flush : styles.body}>{children}</div>}
      {footer && <footer className={joinClasses(styles.footer, stickyFooter && styles.sticky)}>{footer}</footer>}
    </section>
  );
}
