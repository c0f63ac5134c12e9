import { type ActionFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { readForm } from "~/forms/read-form.server";
import { findViewer } from "~/session/guards";
import { ownPath } from "~/session/redirects";
import { Page } from "~/shell/page/page";
import { Button } from "~/ui/button/button";

export const meta: MetaFunction = () => [{ title: "Log out · API Assurance" }];

export async function action({ request, context }: ActionFunctionArgs) {
  const form = await readForm(request);
  const viewer = findViewer(context);
  // The visitor is signed out in any case; while a service is away the refresh token only stays valid until
  // it expires.
  if (viewer?.session.refreshToken)
    await viewer.backend.securityService.logout({ body: { refreshToken: viewer.session.refreshToken } });
  context.session.clear();
  // A page for visitors only redirects a signed-in viewer here, who returns to it signed out.
  return redirect(ownPath(form.get("returnTo")?.toString(), "/"), 303);
}

export default function SignOut() {
  return (
    <Page>
      <h1>Log out of the portal?</h1>
      <p>Schedules keep running while you are signed out.</p>
      <form method="post">
        <Button variant="primary">Logout</Button>
      </form>
    </Page>
  );
}
