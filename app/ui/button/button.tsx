import type { ComponentPropsWithoutRef, ReactNode } from "react";
import { Icon, type IconName } from "~/ui/icon/icon";
import { joinClasses } from "~/ui/join-classes";
import { VisuallyHidden } from "~/ui/visually-hidden/visually-hidden";
import * as styles from "./button.css";

export type ButtonVariant = keyof typeof styles.variant;
export type ButtonSize = keyof typeof styles.size;

export interface ButtonLook {
  /** At most one `primary` in a view; `quiet` inside tables and toolbars. */
  variant?: ButtonVariant;
  size?: ButtonSize;
  /** Drawn before the words. */
  icon?: IconName;
  /** Drawn after the words, as an arrow is. */
  iconAfter?: IconName;
  /** Shows the icon alone and keeps the words for screen readers. */
  labelHidden?: boolean;
  fullWidth?: boolean;
}

export interface ButtonProps extends ComponentPropsWithoutRef<"button">, ButtonLook {
  /** Something is under way: says so, and takes no further press. */
  busy?: boolean;
}

export interface LinkButtonProps extends ComponentPropsWithoutRef<"a">, ButtonLook {
  href: string;
}

/** A button that submits its form; give `type="button"` where it must not. */
export function Button({
  variant,
  size,
  icon,
  iconAfter,
  labelHidden,
  fullWidth,
  busy,
  className,
  children,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="submit"
      {...rest}
      className={lookClasses({ variant, size, icon, labelHidden, fullWidth }, className)}
      disabled={rest.disabled || busy}
      aria-busy={busy || undefined}
    >
      <ButtonContent icon={busy ? "clock" : icon} iconAfter={iconAfter} labelHidden={labelHidden}>
        {children}
      </ButtonContent>
    </button>
  );
}

/** A link that leads somewhere and looks like a button. */
export function LinkButton({
  variant,
  size,
  icon,
  iconAfter,
  labelHidden,
  fullWidth,
  className,
  children,
  ...rest
}: LinkButtonProps) {
  return (
    <a {...rest} className={lookClasses({ variant, size, icon, labelHidden, fullWidth }, className)}>
      <ButtonContent icon={icon} iconAfter={iconAfter} labelHidden={labelHidden}>
        {children}
      </ButtonContent>
    </a>
  );
}

interface ButtonContentProps extends Pick<ButtonLook, "icon" | "iconAfter" | "labelHidden"> {
  children: ReactNode;
}

function ButtonContent({ icon, iconAfter, labelHidden, children }: ButtonContentProps) {
  return (
    <>
      {icon && <Icon name={icon} />}
      {labelHidden ? <VisuallyHidden>{children}</VisuallyHidden> : children}
      {iconAfter && <Icon name={iconAfter} />}
    </>
  );
}

function lookClasses(look: ButtonLook, className: string | undefined) {
  const { variant = "secondary", size = "medium", labelHidden, fullWidth } = look;
  return joinClasses(
    styles.button,
    styles.variant[variant],
    styles.size[size],
    labelHidden && styles.iconOnly[size],
    fullWidth && styles.fullWidth,
    className,
  );
}
