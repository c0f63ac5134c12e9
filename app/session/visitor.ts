import type { Backend } from "~/backend/backend";
import type { PortalContext } from "~/session/context";

/** The services as a page open to everybody calls them. */
export interface VisitorConnection {
  backend: Backend;
  /** Go with every call: the address by which security-service counts what a visitor sends. */
  headers: { "x-client-address": string };
}

export async function connectForVisitor(
  context: Pick<PortalContext, "connectAsPortal" | "clientAddress">,
): Promise<VisitorConnection> {
  return { backend: await context.connectAsPortal(), headers: { "x-client-address": context.clientAddress } };
}
