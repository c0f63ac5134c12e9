import type { Backend } from "~/backend/backend";
import { problemResponse } from "~/backend/responses";
import type { PortalContext } from "~/session/context";
import { requireScope, requireViewer } from "~/session/guards";

/** Access for users who may read this installation's own mailbox. Emails open accounts: see `mailbox` of the context. */
export async function openMailbox(request: Request, context: PortalContext): Promise<Backend["portalService"]> {
  if (context.mailbox === "elsewhere") {
    const detail = "This installation sends email, so it has no mailbox of its own.";
    throw problemResponse({ type: "about:blank", title: "Not found", status: 404, code: "not_found", detail });
  }
  if (context.mailbox === "operators") requireScope(await requireViewer(request, context), "system:manage");
  return (await context.connectAsPortal()).portalService;
}
