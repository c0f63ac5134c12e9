import { type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { href } from "~/href";
import { requireViewer } from "~/session/guards";
import { findRail } from "~/shell/rail/find-rail";

/** Redirects the area's address to the first page that the viewer may open, as in the rail. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const { session } = await requireViewer(request, context);
  const { sections } = findRail({ path: href("/administration"), scopes: session.scopes });
  const area = sections.find(({ label }) => label === "Administration");
  return redirect(area?.item?.href ?? href("/administration/credentials"), 303);
}
