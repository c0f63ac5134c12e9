import { redirect } from "@remix-run/node";

export interface ToastMessage {
  id: string;
  title?: string;
  message: string;
  variant: "primary" | "dark" | "danger" | "success" | "warning" | "info";
  /** Buttons of the toast: with `href` it leads there, without it closes the toast. */
  actions?: { name: string; href?: string }[];
}

/** Goes to a page and says there what was done. */
export function redirectWithToast(
  context: { requestId: string; session: { addToast(toast: ToastMessage): void } },
  path: string,
  toast: string | Omit<ToastMessage, "id">,
): Response {
  const shown = typeof toast === "string" ? { message: toast, variant: "success" as const } : toast;
  context.session.addToast({ id: context.requestId, ...shown });
  return redirect(path, 303);
}
