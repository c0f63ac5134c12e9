import { href } from "~/href";
import type { PortalContext } from "~/session/context";
import type { ToastMessage } from "~/session/toast-message";
import { plural } from "~/ui/count/plural";
import type { Creation } from "./creating.server";

type Toast = Omit<ToastMessage, "id">;
const list = new Intl.ListFormat("en");

/** Displayed by the next page, besides that of its redirect. */
export function addToast({ session, requestId }: PortalContext, id: string, toast: Toast): void {
  session.addToast({ id: `${requestId}-${id}`, ...toast });
}

/** "shop has no value.", "shop and day have no value." */
export function lackingInWords(names: Iterable<string>): string {
  const listed = [...names];
  return `${list.format(listed)} ${listed.length === 1 ? "has" : "have"} no value.`;
}

/** The missing values, and the page for setting them. */
export function toLacking(apiId: string, { names, steps, circles }: Creation["lacking"]): Toast {
  const left = [
    ...(circles.length > 0 ? [plural(circles.length, "circle")] : []),
    ...(steps > 0 ? [plural(steps, "step")] : []),
  ];
  return lackingToast(apiId, `${list.format(left)} left out`, names);
}

export function lackingToast(apiId: string, title: string, names: Iterable<string>): Toast {
  return {
    title,
    message: lackingInWords(names),
    variant: "warning",
    actions: [{ name: "Enter values", href: href("/test-management/:apiId/tests/make", { apiId }) }],
  };
}
