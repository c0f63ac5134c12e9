import { randomBytes } from "node:crypto";
import type { AppLoadContext, ServerBuild } from "@remix-run/node";
import { uuidv7 } from "uuidv7";
import { askOnce } from "~/backend/ask-once.server";
import type { Backend } from "~/backend/backend";
import { createIncidentCounts } from "~/features/incidents/open-incident-counts.server";
import { completeVisit } from "~/features/notifications/complete-visit.server";
import { isForAll, tagged } from "~/features/status/for-all.server";
import { createPublishedStatuses } from "~/features/status/published-statuses.server";
import { createAllowedMethods } from "~/session/allowed-methods";
import { refusalOfBody } from "~/session/body-limit";
import { withoutEmptyParameters } from "~/session/clean-address";
import type { PortalContext } from "~/session/context";
import { createPageHandlers } from "~/session/page-handlers";
import { loginPath, lostForm, savedFormParameter, toSavedFormPath } from "~/session/redirects";
import { atPublicOrigin, findRefusal, getPublicOrigin, refusalOfData } from "~/session/request-origin";
import { returnHints } from "~/session/return-hints";
import { createFormKeeper, holdForm } from "~/session/saved-form.server";
import { createSealer } from "~/session/sealed-value.server";
import { secureHeaders } from "~/session/secure-headers";
import { createSessionKeeper, type SessionHolder } from "~/session/session.server";
import { signOn } from "~/session/sign-on-state";
import type { Caller } from "../services/kit/client/client.ts";

export interface PortalOptions {
  build: ServerBuild;
  mode: "production" | "development";
  connect(caller: Caller): Backend;
  /** The health and version endpoints of the six services. */
  actuators: PortalContext["actuators"];
  /** The service token that identifies the portal to security-service. */
  portalToken(): Promise<string>;
  secretsKey: string;
  /** The portal's public address; undefined in the embedded default, which then accepts loopback names only. */
  publicUrl: string | undefined;
  /** The contact for visitors. */
  contactAddress: string;
  /** Mail is stored in this installation's own mailbox. */
  keepsMail: boolean;
  /** How long a page waits for what it does not need, such as counts in the navigation. */
  hintMilliseconds: number;
  /** Without it, no example is offered. */
  example?: PortalContext["example"];
  /** Address of the human check provider's script, if there is one. */
  humanCheckScript: string | undefined;
  log: PortalContext["log"];
  /** Whether the session or the roles in an access token are outdated. */
  isOutdated(accessToken: string): boolean;
  /** Whether accounts are by invitation only. */
  registersByInvitation(): boolean;
}

export interface Connection {
  clientAddress: string;
  /** The peer is a proxy that the operator trusts, so the `Host` it forwards is not checked. */
  viaTrustedProxy: boolean;
  /** The request claims to be forwarded by a proxy. */
  isForwarded?: boolean;
}

/** Seconds for Retry-After, by status of the failed page. */
const retryAfterSeconds: Record<number, string> = { 429: "60", 503: "5", 507: "60" };

/** Allowed methods of addresses without a page, which Remix answers. */
const methodsElsewhere = ["GET", "HEAD", "POST", "OPTIONS"];
const isLoopback = (address: string) => /^127\.|^::1$/.test(address);

const noExample: PortalContext["example"] = {
  isOffered: async () => false,
  install: async () => ({ ok: false, problem: { detail: "This portal has no example." } }),
};

export type Portal = (request: Request, connection: Connection) => Promise<Response>;

/**
 * The portal as one function of a request: origin check, session, Remix, cookies, headers. A 401 of any service ends
 * here: the session is cleared and the visitor redirected to sign-in once.
 */
export function createPortal(options: PortalOptions): Portal {
  const secure = options.publicUrl?.startsWith("https:") ?? false;
  const keeper = createSessionKeeper({ secretsKey: options.secretsKey, secure, isOutdated: options.isOutdated });
  const forms = createFormKeeper(options.secretsKey);
  const returns = createSealer(returnHints, options.secretsKey, "paypal return");
  const signOns = createSealer(signOn, options.secretsKey, "single sign-on");
  const handle = createPageHandlers(options.build, options.mode);
  const allowedMethods = createAllowedMethods(options.build);
  const incidentCounts = createIncidentCounts(options.hintMilliseconds);
  const statuses = createPublishedStatuses({
    async ask(address) {
      const { testAnalyzer } = options.connect({ token: await options.portalToken() });
      return await testAnalyzer.readPublishedStatus({ params: { address } });
    },
  });

  /** The stored form that the requested page shows again, and its account. */
  async function findSavedForm(request: Request, { auth }: SessionHolder, connect: () => Promise<Backend>) {
    const { pathname, searchParams } = new URL(request.url);
    const stored = searchParams.get(savedFormParameter);
    if (!auth || !stored || request.method !== "GET") return undefined;
    return stored === lostForm ? lostForm : await forms.find(stored, pathname, auth.id, await connect());
  }

  return async (received, { clientAddress, viaTrustedProxy, isForwarded }) => {
    const requestId = uuidv7();
    const nonce = randomBytes(16).toString("base64");
    const publicOrigin = getPublicOrigin(received, options.publicUrl);
    const headers = secureHeaders({
      nonce,
      requestId,
      secure,
      development: options.mode === "development",
      holdsToken: new URL(received.url).searchParams.has("token"),
      humanCheckOrigin: options.humanCheckScript && new URL(options.humanCheckScript).origin,
    });

    const refusal = findRefusal(received, publicOrigin, viaTrustedProxy) ?? refusalOfData(received);
    if (refusal) return new Response(refusal.sentence, { status: refusal.status, headers });
    const allowed = allowedMethods(new URL(received.url).pathname) ?? methodsElsewhere;
    if (received.method === "OPTIONS" || !allowed.includes(received.method)) {
      const status = received.method === "OPTIONS" ? 204 : 405;
      return new Response(null, { status, headers: { ...headers, allow: allowed.join(", ") } });
    }
    const clean = received.method === "GET" ? withoutEmptyParameters(received.url) : undefined;
    if (clean !== undefined) return new Response(null, { status: 302, headers: { ...headers, location: clean } });
    const forAll = isForAll(new URL(received.url).pathname);
    const request = atPublicOrigin(received, publicOrigin!);
    if (forAll) request.headers.delete("cookie");

    const portalToken = await options.portalToken();
    const connectAsPortal = async () => options.connect({ token: portalToken, requestId });
    // Changes are recorded with the address from which they were made.
    const connectFor = (caller: Caller) =>
      options.connect({ ...caller, client: { address: clientAddress, voucher: portalToken } });
    const session = await keeper.open(request, connectAsPortal);
    const away = new Set<string>();
    const context: Omit<PortalContext, "kept"> = {
      async keepAside(form) {
        const { accountId } = session;
        const id = accountId && (await forms.keep(form, accountId, await connectAsPortal(), "aside"));
        return toSavedFormPath(form, id ?? lostForm);
      },
      connect: askOnce(connectFor, (service) => away.add(service)),
      connectForStream: connectFor,
      actuators: options.actuators,
      away,
      connectAsPortal,
      session,
      returns,
      signOns,
      statuses,
      incidentCounts,
      requestId,
      nonce,
      publicOrigin: publicOrigin!,
      clientAddress,
      contactAddress: options.contactAddress,
      example: options.example ?? noExample,
      registersByInvitation: options.registersByInvitation(),
      mailbox: !options.keepsMail
        ? "elsewhere"
        : options.publicUrl === undefined && isLoopback(clientAddress) && !isForwarded
          ? "open"
          : "operators",
      log: options.log,
    };
    const held = await holdForm(request);
    async function leadToLogin(): Promise<Response> {
      const { accountId } = session;
      const stored =
        held.isHeld && accountId ? await forms.keep(held.again(), accountId, await connectAsPortal()) : undefined;
      const location = loginPath(request, held.isForm ? (stored ?? lostForm) : undefined);
      return new Response(null, { status: 303, headers: { location } });
    }
    async function handleRequest(): Promise<Response> {
      if (held.isForm && !session.auth) return await leadToLogin();
      const tooLong = refusalOfBody(received, session.auth !== undefined);
      if (tooLong) return new Response(tooLong.sentence, { status: tooLong.status });
      const served: AppLoadContext = { ...context, kept: await findSavedForm(request, session, connectAsPortal) };
      const page = await handle(held.again(), served);
      if (session.auth && request.method !== "GET") incidentCounts.forget(session.auth.id);
      await completeVisit(request, page.status, served);
      return page;
    }
    let response = await handleRequest();
    if (response.headers.has("location")) session.putBack();
    if (response.status === 401 && session.auth && !session.refreshPostponed) {
      session.clear();
      response = await leadToLogin();
    }

    if (forAll) response = await tagged(received, response);
    const answered = new Response(response.body, response);
    for (const [name, value] of Object.entries(headers)) {
      // A response with third-party content sets its own, stricter policy.
      if (name !== "content-security-policy" || !answered.headers.has(name)) answered.headers.set(name, value);
    }
    const retryAfter = retryAfterSeconds[answered.status];
    if (retryAfter && !answered.headers.has("retry-after")) answered.headers.set("retry-after", retryAfter);
    if (!answered.headers.has("cache-control")) {
      answered.headers.set("cache-control", session.auth || session.changed ? "no-store" : "private, no-cache");
    }
    for (const cookie of await keeper.commit(session, request)) answered.headers.append("set-cookie", cookie);
    return answered;
  };
}
