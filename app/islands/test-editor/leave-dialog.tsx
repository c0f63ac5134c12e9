import { useEffect, useRef } from "react";
import { Button, LinkButton } from "~/ui/button/button";
import * as styles from "./leave-dialog.css";

export interface LeaveDialogProps {
  href: string;
  onStay: () => void;
  onLeave: () => void;
}

/** Confirms leaving with unsaved changes. Only script opens it, so it can be a modal dialog. */
export function LeaveDialog({ href, onStay, onLeave }: LeaveDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current;
    const before = document.activeElement;
    element?.showModal();
    return () => {
      element?.close();
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog ref={dialog} role="alertdialog" aria-labelledby="leave-title" onCancel={onStay} className={styles.dialog}>
      <h2 id="leave-title">Leave without saving?</h2>
      <p>Your changes to this test are not saved.</p>
      <div className={styles.actions}>
        <Button type="button" autoFocus onClick={onStay}>
          Keep editing
        </Button>
        <LinkButton href={href} variant="danger" onClick={onLeave}>
          Leave without saving
        </LinkButton>
      </div>
    </dialog>
  );
}
