import { href } from "~/href";
import type { Viewer } from "~/session/guards";
import type { ToastMessage } from "~/session/toast-message";

/** The link of a toast about a limit of the plan; none for viewers who may not change the plan. */
export function planActions(viewer: Viewer): ToastMessage["actions"] {
  return viewer.may("billing:manage") ? [{ name: "See your plan", href: href("/billing") }] : undefined;
}
