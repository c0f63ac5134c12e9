import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { readForm } from "~/forms/read-form.server";
import { href } from "~/href";
import { requireViewer } from "~/session/guards";
import { startConfirmation } from "~/session/provider-confirmation.server";
import { ownPath } from "~/session/redirects";

/** Sends a user without a password to their organization's provider, and back to the change. */
export async function action({ request, context }: ActionFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const form = await readForm(request);
  return await startConfirmation(viewer, context, ownPath(String(form.get("redirectTo") ?? ""), href("/profile")));
}

/** A GET of this address leads to the profile. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  await requireViewer(request, context);
  return redirect(href("/profile"));
}
