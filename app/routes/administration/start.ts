import { type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { href } from "~/href";
import { requireViewer } from "~/session/guards";
import { getNavGroups } from "./nav-groups";

/** Redirects the area's own address to the first page that the viewer may see. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const [group] = getNavGroups(await requireViewer(request, context));
  const [location] = group?.entries ?? [];
  return redirect(location ? href(location.page) : href("/administration/credentials"), 303);
}
