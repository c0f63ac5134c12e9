import type { ComponentPropsWithoutRef, ReactNode } from "react";
import { Button, type ButtonVariant, LinkButton } from "~/ui/button/button";
import { Icon, type IconName } from "~/ui/icon/icon";
import { joinClasses } from "~/ui/join-classes";
import { VisuallyHidden } from "~/ui/visually-hidden/visually-hidden";
import * as styles from "./toast.css";

export type ToastVariant = keyof typeof styles.variant;

export interface ToastAction {
  name: string;
  style?: ButtonVariant;
  /** Target of the link; without it the button closes the toast. */
  href?: string;
}

export interface ToastProps extends Omit<ComponentPropsWithoutRef<"div">, "title" | "children"> {
  id: string;
  title?: ReactNode;
  message: ReactNode;
  variant?: ToastVariant;
  when?: string;
  actions?: readonly ToastAction[];
  /** Does not hide after five seconds. */
  stays?: boolean;
}

const icons: Record<ToastVariant, IconName> = {
  primary: "info",
  dark: "info",
  success: "check",
  warning: "warning",
  danger: "cross",
  info: "info",
};

/** Where toasts appear: the top right. */
export function ToastRegion({ children, className, ...rest }: ComponentPropsWithoutRef<"section">) {
  return (
    <section aria-label="Messages" data-above-dialogs="" {...rest} className={joinClasses(styles.region, className)}>
      {children}
    </section>
  );
}

/**
 * A message about the last action. It disappears after five seconds, by animation, but not while it is hovered or has
 * the focus; its buttons close it without script.
 */
export function Toast(props: ToastProps) {
  const { id, title, message, variant = "primary", when = "just now", actions = [], stays, className, ...rest } = props;
  const saysId = `${id}-${title ? "title" : "message"}`;
  return (
    <div
      {...rest}
      id={id}
      data-toast=""
      role={variant === "danger" ? "alert" : "status"}
      className={joinClasses(styles.toast, !stays && styles.passing, className)}
    >
      <dialog open aria-labelledby={saysId} className={joinClasses(styles.panel, styles.variant[variant])}>
        <div className={styles.header}>
          <Icon name={icons[variant]} className={styles.iconColour[variant]} />
          <p id={saysId} className={styles.title}>
            {title ?? message}
          </p>
          <small className={styles.when}>{when}</small>
          <form method="dialog">
            <button type="submit" className={styles.close}>
              <Icon name="close" />
              <VisuallyHidden>Close</VisuallyHidden>
            </button>
          </form>
        </div>
        {title && <p className={styles.message}>{message}</p>}
        {actions.length > 0 && (
          <form method="dialog" className={styles.actions}>
            {actions.map(({ name, style = "secondary", href }) =>
              href ? (
                <LinkButton key={name} href={href} variant={style} size="small">
                  {name}
                </LinkButton>
              ) : (
                <Button key={name} variant={style} size="small">
                  {name}
                </Button>
              ),
            )}
          </form>
        )}
      </dialog>
    </div>
  );
}
