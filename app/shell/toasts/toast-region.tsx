import type { ToastMessage } from "~/session/toast-message";
import { ToastRegion as Region, Toast } from "~/ui/toast/toast";

/** A message to show at the top right; `confirm` names a button that only closes it. */
export interface ToastEntry extends ToastMessage {
  confirm?: string;
}

export function ToastRegion({ toasts }: { toasts: ToastEntry[] }) {
  if (toasts.length === 0) return null;
  return (
    <Region>
      {toasts.map(({ id, title, message, variant, actions, confirm }) => (
        <Toast key={id} id={`toast-${id}`} title={title} variant={variant} actions={actions} confirm={confirm}>
          {message}
        </Toast>
      ))}
    </Region>
  );
}
