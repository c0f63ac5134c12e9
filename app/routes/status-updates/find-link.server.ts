import { mailedToken } from "#contracts/security-service/account.ts";
import { problemResponse } from "~/backend/responses";
import type { PortalContext } from "~/session/context";
import { connectForVisitor } from "~/session/visitor";

/** The subscription of an emailed link; undefined when it has ended. */
export async function findLink(request: Request, context: PortalContext) {
  const token = mailedToken.safeParse(new URL(request.url).searchParams.get("token"));
  if (!token.success) return { link: undefined, token: "" };
  const { backend } = await connectForVisitor(context);
  const found = await backend.testAnalyzer.readSubscriptionLink({ body: { token: token.data } });
  if (found.ok) return { link: found.value, token: token.data };
  if (found.status !== 404) throw problemResponse(found.problem);
  return { link: undefined, token: token.data };
}
