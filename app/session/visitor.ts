import type { Backend } from "~/backend/backend";
import type { PortalContext } from "~/session/context";

/** The services as called by a public page. */
export interface VisitorConnection {
  backend: Backend;
  /** Sent with every call: the address for security-service's rate limits. */
  headers: { "x-client-address": string };
}

export async function connectForVisitor(
  context: Pick<PortalContext, "connectAsPortal" | "clientAddress">,
): Promise<VisitorConnection> {
  return { backend: await context.connectAsPortal(), headers: { "x-client-address": context.clientAddress } };
}
