import type { ComponentPropsWithoutRef, ReactNode } from "react";
import { Icon, type IconName } from "~/ui/icon/icon";
import { joinClasses } from "~/ui/join-classes";
import { VisuallyHidden } from "~/ui/visually-hidden/visually-hidden";
import { visuallyHidden } from "~/ui/visually-hidden/visually-hidden.css";
import * as styles from "./button.css";

export type ButtonVariant = keyof typeof styles.variant;
export type ButtonSize = keyof typeof styles.size;

export interface ButtonLook {
  /** At most one `primary` in a view; `quiet` inside tables and toolbars. */
  variant?: ButtonVariant;
  size?: ButtonSize;
  /** Before the text. */
  icon?: IconName;
  /** After the text, such as an arrow. */
  iconAfter?: IconName;
  /** Shows only the icon and keeps the text for screen readers. */
  labelHidden?: boolean;
  fullWidth?: boolean;
}

export interface ButtonProps extends ComponentPropsWithoutRef<"button">, ButtonLook {
  /** An action is in progress: marks the button as busy and ignores presses. */
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
      className={buttonClasses({ variant, size, icon, labelHidden, fullWidth }, className)}
      disabled={rest.disabled || busy}
      aria-busy={busy || undefined}
    >
      <ButtonContent icon={busy ? "clock" : icon} iconAfter={iconAfter} labelHidden={labelHidden}>
        {children}
      </ButtonContent>
    </button>
  );
}

/**
 * The default button for the Enter key in a form whose first visible button does something else, such as "Remove row":
 * browsers take the first submit button. Goes first in its form; give it the `name` and `value` of the button that
 * saves.
 */
export function DefaultSubmit(
  props: Pick<ComponentPropsWithoutRef<"button">, "name" | "value" | "form" | "formAction">,
) {
  return <button type="submit" {...props} tabIndex={-1} aria-hidden="true" className={visuallyHidden} />;
}

/** A link that looks like a button. */
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
    <a {...rest} className={buttonClasses({ variant, size, icon, labelHidden, fullWidth }, className)}>
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

/** The look of a button for an element that is neither a button nor a link, such as a `<summary>`. */
export function buttonClasses(look: ButtonLook, className?: string): string | undefined {
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
