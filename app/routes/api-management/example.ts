import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { href } from "~/href";
import { requireViewer } from "~/session/guards";
import { redirectWithToast } from "~/session/toast-message";

export async function loader({ request, context }: LoaderFunctionArgs) {
  await requireViewer(request, context);
  return redirect(href("/api-management/list"));
}

/** The button "Try it with an example": leads to the run in which two tests fail. */
export async function action({ request, context }: ActionFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const installed = await context.example.install(viewer.backend, viewer.session.accessToken);
  if (!installed.ok) {
    return redirectWithToast(context, href("/api-management/list"), {
      title: "The example was not added",
      message: installed.problem.detail,
      variant: "danger",
    });
  }
  const { apiId, runId, isNew } = installed;
  return redirectWithToast(context, href("/test-management/:apiId/runs/:runId", { apiId, runId }), {
    title: isNew ? "The example shop is ready" : "The example shop is here already",
    message:
      "Two things are broken on purpose: a price is text instead of a number, and an unknown order returns 500 instead of 404. Open a failed test to see how that is found.",
    variant: "success",
    actions: [
      { name: "See the incidents", href: href("/test-management/incidents") },
      { name: "See the API", href: href("/api-management/:apiId/details", { apiId }) },
    ],
  });
}
