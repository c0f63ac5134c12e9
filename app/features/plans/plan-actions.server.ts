import { href } from "~/href";
import type { Viewer } from "~/session/guards";
import type { ToastMessage } from "~/session/toast-message";

/** Where a toast about a limit of the plan leads: nowhere for whoever may not choose another plan. */
export function planActions(viewer: Viewer): ToastMessage["actions"] {
  return viewer.may("billing:manage") ? [{ name: "See your plan", href: href("/billing") }] : undefined;
}
