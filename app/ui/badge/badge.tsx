import type { ComponentPropsWithoutRef } from "react";
import { Icon, type IconName } from "~/ui/icon/icon";
import { joinClasses } from "~/ui/join-classes";
import { type Tone, toneIcons } from "~/ui/tone";
import * as styles from "./badge.css";

export interface BadgeProps extends ComponentPropsWithoutRef<"span"> {
  tone?: Tone;
  /** The tone's own icon unless given; `null` for a label that is no state, such as a version or a tag. */
  icon?: IconName | null;
}

/** A state or a label in one or two words. */
export function Badge({ tone = "neutral", icon = toneIcons[tone], className, children, ...rest }: BadgeProps) {
  return (
    <span {...rest} className={joinClasses(styles.badge, styles.tone[tone], className)}>
      {icon && <Icon name={icon} className={styles.icon} />}
      {children}
    </span>
  );
}
