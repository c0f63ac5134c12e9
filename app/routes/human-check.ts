import type { LoaderFunctionArgs } from "@remix-run/node";
import { required } from "~/backend/responses";
import { connectForVisitor } from "~/session/visitor";

/** A new challenge for a form that stayed open longer than the first one is valid. */
export async function loader({ context }: LoaderFunctionArgs) {
  const { backend, headers } = await connectForVisitor(context);
  return Response.json(required(await backend.securityService.getHumanCheck({ headers })), {
    headers: { "cache-control": "no-store" },
  });
}
