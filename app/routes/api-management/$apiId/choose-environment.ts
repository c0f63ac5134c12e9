import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { required } from "~/backend/responses";
import { readForm } from "~/forms/read-form.server";
import { href } from "~/href";
import { requireViewer } from "~/session/guards";
import { ownPath } from "~/session/redirects";
import { redirectWithToast } from "~/session/toast-message";

const getOverview = (apiId: string) => href("/test-management/:apiId/manage", { apiId });

/** Handles the header's picker and leads back to the page. */
export async function action({ request, params, context }: ActionFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const apiId = params.apiId!;
  const form = await readForm(request);
  const returnTo = ownPath(String(form.get("returnTo") ?? ""), getOverview(apiId));
  const environment = String(form.get("environment") ?? "") || null;
  const result = await viewer.backend.apiRegistry.chooseEnvironment({ params: { apiId }, body: { environment } });
  if (!result.ok && result.status === 422) {
    return redirectWithToast(context, returnTo, {
      message: `The environment ${environment} no longer exists.`,
      variant: "warning",
    });
  }
  required(result);
  return redirect(returnTo, 303);
}

/** A GET of this address leads to the API. */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  await requireViewer(request, context);
  return redirect(getOverview(params.apiId!));
}
