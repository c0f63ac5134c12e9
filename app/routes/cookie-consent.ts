import { type ActionFunctionArgs, redirect } from "@remix-run/node";
import { readForm } from "~/forms/read-form.server";
import { href } from "~/href";
import { acceptCookies, declineCookies } from "~/session/cookies";
import { findViewer } from "~/session/guards";
import { ownPath } from "~/session/redirects";
import { keepTimeZone } from "~/session/time-zone";
import { listAddress } from "~/ui/list-page/list-address";

/** The cookie banner's two choices; both lead back to the page. */
export async function action({ request, context }: ActionFunctionArgs) {
  const form = await readForm(request);
  const secure = context.publicOrigin.startsWith("https:");
  const headers = new Headers();
  let returnTo = ownPath(String(form.get("returnTo") ?? ""), "/");
  if (form.get("choice") === "accept") {
    for (const cookie of [acceptCookies(secure), ...keepTimeZone(form, secure)]) headers.append("set-cookie", cookie);
  } else {
    returnTo = listAddress(returnTo, { cookies: "declined" });
    // Without the cookie the session could neither be used nor ended, so it ends now.
    const viewer = findViewer(context);
    if (viewer?.session.refreshToken)
      await viewer.backend.securityService.logout({ body: { refreshToken: viewer.session.refreshToken } });
    context.session.clear();
    for (const cookie of declineCookies(request, secure)) headers.append("set-cookie", cookie);
  }
  return redirect(returnTo, { status: 303, headers });
}

export function loader() {
  return redirect(href("/"));
}
