import { type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { pickedIn } from "~/features/plans/picked-plan";
import { href } from "~/href";
import { requireVisitor } from "~/session/guards";

/** Aliases of the first registration page. */
export function loader({ request, context }: LoaderFunctionArgs) {
  const serviceId = pickedIn(new URL(request.url).search);
  requireVisitor(context, serviceId);
  return redirect(href("/registration-type-selection", { serviceId }));
}
