import type { ComponentPropsWithoutRef, ReactNode } from "react";
import { type ButtonLook, buttonClasses } from "~/ui/button/button";
import { Icon, type IconName } from "~/ui/icon/icon";
import { joinClasses } from "~/ui/join-classes";
import { VisuallyHidden } from "~/ui/visually-hidden/visually-hidden";
import * as styles from "./menu.css";

export interface MenuProps extends Omit<ComponentPropsWithoutRef<"details">, "name">, Omit<ButtonLook, "fullWidth"> {
  label: ReactNode;
  /** The edge of the button that the sheet is aligned with. */
  side?: "start" | "end";
  /** `MenuLink` and `MenuButton`. */
  children: ReactNode;
}

/** Actions behind one button. Opening one menu closes the others of the page, without script. */
export function Menu(props: MenuProps) {
  const {
    label,
    side = "end",
    variant,
    size,
    icon,
    iconAfter = "chevron-down",
    labelHidden,
    className,
    children,
    ...rest
  } = props;
  return (
    <details {...rest} name="menu" className={joinClasses(styles.menu, className)}>
      <summary className={buttonClasses({ variant, size, labelHidden }, styles.opener)}>
        {icon && <Icon name={icon} />}
        {labelHidden ? <VisuallyHidden>{label}</VisuallyHidden> : label}
        {!labelHidden && <Icon name={iconAfter} />}
      </summary>
      <div className={joinClasses(styles.sheet, styles.side[side])}>{children}</div>
    </details>
  );
}

interface MenuItemLook {
  icon?: IconName;
  danger?: boolean;
}

export function MenuLink({ icon, danger, className, children, ...rest }: ComponentPropsWithoutRef<"a"> & MenuItemLook) {
  return (
    <a {...rest} className={joinClasses(styles.item, danger && styles.danger, className)}>
      {icon && <Icon name={icon} />}
      {children}
    </a>
  );
}

/** Submits its surrounding form, or the one named by `form`. */
export function MenuButton({
  icon,
  danger,
  className,
  children,
  ...rest
}: ComponentPropsWithoutRef<"button"> & MenuItemLook) {
  return (
    <button type="submit" {...rest} className={joinClasses(styles.item, danger && styles.danger, className)}>
      {icon && <Icon name={icon} />}
      {children}
    </button>
  );
}
