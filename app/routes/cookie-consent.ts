import { type ActionFunctionArgs, redirect } from "@remix-run/node";
import { acceptCookies, declineCookies } from "~/session/cookies";
import { ownPath } from "~/session/redirects";

/** The cookie banner's two answers; both lead back to the page it stood on. */
export async function action({ request, context }: ActionFunctionArgs) {
  const form = await request.formData();
  const secure = context.publicOrigin.startsWith("https:");
  const headers = new Headers();
  if (form.get("choice") === "accept") {
    headers.append("set-cookie", acceptCookies(secure));
  } else {
    context.session.clear();
    for (const cookie of declineCookies(request, secure)) headers.append("set-cookie", cookie);
  }
  return redirect(ownPath(String(form.get("returnTo") ?? ""), "/"), { status: 303, headers });
}

export function loader() {
  return redirect("/");
}
