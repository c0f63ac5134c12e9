import type { ToastMessage } from "~/session/toast-message";
import { Toast, ToastRegion } from "~/ui/toast/toast";

/** The toasts of this page, at the top right. */
export function Toasts({ toasts }: { toasts: ToastMessage[] }) {
  if (toasts.length === 0) return null;
  return (
    <ToastRegion>
      {toasts.map(({ id, ...toast }) => (
        <Toast key={id} id={`toast-${id}`} {...toast} />
      ))}
    </ToastRegion>
  );
}
