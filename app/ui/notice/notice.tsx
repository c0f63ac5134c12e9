import type { ComponentPropsWithoutRef, ReactNode } from "react";
import { Icon, type IconName } from "~/ui/icon/icon";
import { joinClasses } from "~/ui/join-classes";
import { type Tone, toneIcons } from "~/ui/tone";
import * as styles from "./notice.css";

export interface NoticeProps extends Omit<ComponentPropsWithoutRef<"div">, "title"> {
  tone?: Tone;
  icon?: IconName;
  title?: ReactNode;
  actions?: ReactNode;
}

/** A message for the reader of this page. Give `role="alert"` when it responds to their last action. */
export function Notice({
  tone = "info",
  icon = toneIcons[tone],
  title,
  actions,
  className,
  children,
  ...rest
}: NoticeProps) {
  return (
    <div {...rest} className={joinClasses(styles.notice, styles.tone[tone], className)}>
      <Icon name={icon} className={styles.toneIcon[tone]} />
      <div className={styles.words}>
        {title && <p className={styles.title}>{title}</p>}
        {children && <div>{children}</div>}
        {actions && <div className={styles.actions}>{actions}</div>}
      </div>
    </div>
  );
}
