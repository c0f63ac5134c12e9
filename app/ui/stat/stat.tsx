import type { ComponentPropsWithoutRef, ReactNode } from "react";
import { Icon } from "~/ui/icon/icon";
import { joinClasses } from "~/ui/join-classes";
import { type Tone, toneIcons } from "~/ui/tone";
import * as styles from "./stat.css";

export interface Stat {
  label: string;
  value: ReactNode;
  unit?: string;
  /** Its reference, such as "of 500 this month". */
  detail?: ReactNode;
  /** Marks a figure that is good or bad, with the tone's icon. */
  tone?: Tone;
  href?: string;
}

export interface StatsProps extends Omit<ComponentPropsWithoutRef<"dl">, "children"> {
  items: readonly Stat[];
}

/** A few important figures in a row. */
export function Stats({ items, className, ...rest }: StatsProps) {
  return (
    <dl {...rest} className={joinClasses(styles.list, className)}>
      {items.map(({ label, value, unit, detail, tone, href }) => (
        <div key={label} className={styles.stat}>
          <dt className={styles.label}>{href ? <a href={href}>{label}</a> : label}</dt>
          <dd className={styles.value}>
            {tone && <Icon name={toneIcons[tone]} className={styles.tone[tone]} />}
            <span>
              {value}
              {unit && <span className={styles.unit}> {unit}</span>}
            </span>
          </dd>
          {detail && <dd className={styles.detail}>{detail}</dd>}
        </div>
      ))}
    </dl>
  );
}
