import type { actuatorContract } from "#contracts/kit/actuator.ts";
import type { Backend } from "~/backend/backend";
import type { PublishedStatuses } from "~/features/status/published-statuses.server";
import type { KeptForm } from "~/session/kept-form.server";
import type { ReturnHints } from "~/session/return-hints";
import type { Sealer } from "~/session/sealed-value.server";
import type { SessionHolder } from "~/session/session.server";
import type { SignOn } from "~/session/sign-on-state";
import type { Caller, Client } from "../../services/kit/client/client.ts";

/** What every loader and action gets besides the request. */
export interface PortalContext {
  connect(caller: Caller): Backend;
  /** The same for what is read while it is sent: answers are not remembered, which would hold all of a long list. */
  connectForStream(caller: Caller): Backend;
  /** The services opened for the portal itself: what it says of its visitor (address, browser) is believed. */
  connectAsPortal(): Promise<Backend>;
  /** The six services' calls of health and version, which ask nobody who they are. */
  actuators(): (Client<typeof actuatorContract> & { service: string })[];
  /** Services that this page's loaders asked in vain. */
  away: Set<string>;
  session: SessionHolder;
  /** What public status pages show. */
  statuses: PublishedStatuses;
  /** What this page's sender had typed before signing in again, or before making something else first. */
  kept: KeptForm | "lost" | undefined;
  /** Keeps what was typed while its sender makes something it is to name; the page's address that shows it again. */
  keepAside(form: Request): Promise<string>;
  /** What a buyer brought back from the payment provider, while they sign in. */
  returns: Sealer<ReturnHints>;
  /** What the browser of somebody keeps who is at their organization's provider. */
  signOns: Sealer<SignOn>;
  requestId: string;
  /** Of the Content-Security-Policy; every script tag carries it. */
  nonce: string;
  /** Scheme, host and port under which users reach the portal, as in `https://portal.example.com`. */
  publicOrigin: string;
  /** The peer's address, or what a trusted proxy said it is. */
  clientAddress: string;
  /** Whom visitors write to. */
  contactAddress: string;
  /** Only people who are invited get an account, as operators set it. */
  registersByInvitation: boolean;
  /**
   * Who may read this installation's own mailbox: `open` to somebody at this very machine, to operators only when the
   * portal can be reached from elsewhere (its letters open accounts), and there is none when mail leaves the house.
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
