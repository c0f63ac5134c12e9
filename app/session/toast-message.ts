import { redirect } from "@remix-run/node";
import { z } from "zod";

export const toastMessage = z.object({
  id: z.string(),
  title: z.string().optional(),
  message: z.string(),
  variant: z.enum(["primary", "dark", "danger", "success", "warning", "info"]),
  actions: z
    .array(z.object({ name: z.string(), href: z.string().optional() }))
    .optional()
    .describe("Buttons of the toast: with `href` it leads there, without it closes the toast."),
});
export type ToastMessage = z.infer<typeof toastMessage>;

/** Redirects to a page with a toast that confirms the action. */
export function redirectWithToast(
  context: { requestId: string; session: { addToast(toast: ToastMessage): void } },
  path: string,
  toast: string | Omit<ToastMessage, "id">,
): Response {
  const displayed = typeof toast === "string" ? { message: toast, variant: "success" as const } : toast;
  context.session.addToast({ id: context.requestId, ...displayed });
  return redirect(path, 303);
}
