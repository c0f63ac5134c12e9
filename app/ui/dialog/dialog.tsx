import type { ComponentPropsWithoutRef, ReactNode } from "react";
import { Button, type ButtonVariant, LinkButton } from "~/ui/button/button";
import type { IconName } from "~/ui/icon/icon";
import { joinClasses } from "~/ui/join-classes";
import * as styles from "./dialog.css";

export interface DialogAction {
  /** Label of the button. */
  name: string;
  icon?: IconName;
  style?: ButtonVariant;
  /** Makes it a link; without it the button submits the dialog's form. */
  href?: string;
  /** Submitted as `intent=<value>`. Needed if several actions submit the form. */
  value?: string;
  /** Submits to another address than the dialog's `action`. */
  formAction?: string;
}

export interface DialogProps extends Omit<ComponentPropsWithoutRef<"dialog">, "title" | "action" | "open"> {
  id?: string;
  title?: ReactNode;
  message?: ReactNode;
  /** Set false to omit Cancel. */
  cancelShow?: boolean;
  cancelName?: string;
  /** Target of Cancel; without it Cancel closes the dialog in place. */
  cancelHref?: string;
  /** Adds a cross in the corner that acts like Cancel. */
  closeShow?: boolean;
  actions?: readonly DialogAction[];
  /** Target of the form's POST; the current page unless given. */
  action?: string;
  /** Hidden fields. */
  fields?: Record<string, string>;
  /** Opens one second after the page. */
  delayed?: boolean;
}

/**
 * Asks for a confirmation. It is open on page load, works without script, and closes only by its buttons: neither
 * Escape nor a click outside has an effect. The focus starts on Cancel, which changes nothing.
 */
export function Dialog(props: DialogProps) {
  const {
    id = "dialog",
    title = "Dialog",
    message = "Default Message",
    children,
    className,
    delayed,
    ...others
  } = props;
  const {
    cancelShow = true,
    cancelName = "Cancel",
    cancelHref,
    closeShow,
    actions = [],
    action,
    fields = {},
    ...rest
  } = others;
  const sends = actions.some(({ href }) => !href);
  const formId = `${id}-form`;
  return (
    <dialog
      {...rest}
      id={id}
      open
      role="alertdialog"
      aria-modal="true"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-message`}
      className={joinClasses(styles.dialog, delayed && styles.delayed, className)}
    >
      <div className={styles.panel}>
        <div className={styles.header}>
          <h2 id={`${id}-title`} className={styles.title}>
            {title}
          </h2>
          {closeShow && <CloseControl name="Close" href={cancelHref} cross />}
        </div>
        <div className={styles.body}>
          <p id={`${id}-message`} className={styles.message}>
            {message}
          </p>
          {children}
        </div>
        <div className={styles.footer}>
          {cancelShow && <CloseControl name={cancelName} href={cancelHref} autoFocus />}
          {actions.map((item, index) => (
            <ActionControl key={item.name} {...item} formId={formId} autoFocus={!cancelShow && index === 0} />
          ))}
          {sends && (
            <form id={formId} method="post" action={action} hidden>
              {Object.entries(fields).map(([name, value]) => (
                <input key={name} type="hidden" name={name} value={value} />
              ))}
            </form>
          )}
        </div>
      </div>
    </dialog>
  );
}

interface CloseControlProps {
  name: string;
  href: string | undefined;
  cross?: boolean;
  autoFocus?: boolean;
}

function CloseControl({ name, href, cross, autoFocus }: CloseControlProps) {
  const look = cross ? ({ variant: "quiet", size: "small", icon: "close", labelHidden: true } as const) : {};
  if (href) {
    return (
      <LinkButton href={href} autoFocus={autoFocus} {...look}>
        {name}
      </LinkButton>
    );
  }
  return (
    <form method="dialog">
      <Button autoFocus={autoFocus} {...look}>
        {name}
      </Button>
    </form>
  );
}

function ActionControl(props: DialogAction & { formId: string; autoFocus: boolean }) {
  const { name, icon, style: variant = "primary", href, value, formAction, formId, autoFocus } = props;
  if (href) {
    return (
      <LinkButton href={href} variant={variant} icon={icon} autoFocus={autoFocus}>
        {name}
      </LinkButton>
    );
  }
  return (
    <Button
      form={formId}
      name={value === undefined ? undefined : "intent"}
      {...{ value, formAction, variant, icon, autoFocus }}
    >
      {name}
    </Button>
  );
}
