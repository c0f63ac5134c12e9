import type { actuatorContract } from "#contracts/kit/actuator.ts";
import type { Backend } from "~/backend/backend";
import type { IncidentCounts } from "~/features/incidents/open-incident-counts.server";
import type { PublishedStatuses } from "~/features/status/published-statuses.server";
import type { ReturnHints } from "~/session/return-hints";
import type { SavedForm } from "~/session/saved-form.server";
import type { Sealer } from "~/session/sealed-value.server";
import type { SessionHolder } from "~/session/session.server";
import type { SignOn } from "~/session/sign-on-state";
import type { Caller, Client } from "../../services/kit/client/client.ts";

export interface ExampleOffer {
  isOffered(): Promise<boolean>;
  /** Created as the user; `isNew` is false if it existed already. */
  install(
    backend: Backend,
    accessToken: string,
  ): Promise<{ ok: true; apiId: string; runId: string; isNew: boolean } | { ok: false; problem: { detail: string } }>;
}

/** The context of every loader and action, besides the request. */
export interface PortalContext {
  connect(caller: Caller): Backend;
  /** The same for streamed responses: results are not cached, which would keep all of a long list in memory. */
  connectForStream(caller: Caller): Backend;
  /** The services opened for the portal itself, whose statements about its visitor (address, browser) are trusted. */
  connectAsPortal(): Promise<Backend>;
  /** The health and version endpoints of the six services, which need no authentication. */
  actuators(): (Client<typeof actuatorContract> & { service: string })[];
  /** Services that failed to answer this page's loaders. */
  away: Set<string>;
  session: SessionHolder;
  /** The numbers of open incidents in the navigation. */
  incidentCounts: IncidentCounts;
  /** The contents of public status pages. */
  statuses: PublishedStatuses;
  /** The form that this viewer had filled in before signing in again, or before creating something else first. */
  kept: SavedForm | "lost" | undefined;
  /**
   * Stores a form while its sender creates something that it refers to; returns the address of the page that shows it
   * again.
   */
  keepAside(form: Request): Promise<string>;
  /** Query parameters with which a buyer returned from the payment provider, while they sign in. */
  returns: Sealer<ReturnHints>;
  /** State in the browser of a visitor who is at their organization's identity provider. */
  signOns: Sealer<SignOn>;
  requestId: string;
  /** Nonce of the Content-Security-Policy; every script tag carries it. */
  nonce: string;
  /** Public scheme, host and port of the portal, such as `https://portal.example.com`. */
  publicOrigin: string;
  /** The peer's address, or the one that a trusted proxy forwarded. */
  clientAddress: string;
  /** The contact for visitors. */
  contactAddress: string;
  /** The example shop, which an organization gets in one press where the operator allows it. */
  example: ExampleOffer;
  /** Accounts are by invitation only, as set by the operator. */
  registersByInvitation: boolean;
  /**
   * Who may read this installation's own mailbox: `open` for clients on this machine; operators only when the portal
   * can be reached from elsewhere (its mails give access to accounts); none when mail is sent out.
   */
  mailbox: "open" | "operators" | "elsewhere";
  log: { error(details: object, message: string): void; warn(details: object, message: string): void };
}

declare module "@remix-run/server-runtime" {
  interface AppLoadContext extends PortalContext {}
  interface Future {
    v3_singleFetch: true;
  }
}
