import type { UserNotification } from "#contracts/portal-service/notifications.ts";
import type { PortalContext } from "~/session/context";
import { SessionHolder } from "~/session/session.server";
import type { Announce, AuthSession } from "~/session/stored-session";

export const choosePlan: UserNotification = {
  id: "01900000-0000-7000-8000-000000000001",
  type: "ANNOUNCEMENT",
  state: "NEW",
  priority: 3,
  summary: "Choose a plan",
  description: "Compare them.",
  action: "SELECT_SERVICE",
  subscriptionId: null,
  createdAt: "2026-01-01T00:00:00.000Z",
  updatedAt: "2026-01-01T00:00:00.000Z",
};

/**
 * For tests: a viewer's request with a portal-service that gives every call the same response and records calls and
 * logs.
 */
export function fakeContext(options: { announce?: Announce; answer?: unknown; refusal?: number; signedOut?: boolean }) {
  const session = new SessionHolder(
    {
      auth: options.signedOut ? undefined : ({ accessToken: "token", scopes: [] as string[] } as AuthSession),
      toasts: [],
      announce: options.announce,
    },
    true,
  );
  const calls: [name: string, input: unknown][] = [];
  const logged: string[] = [];
  const { refusal, answer } = options;
  const portalService = new Proxy(
    {},
    {
      get: (_, name: string) => async (input: unknown) => {
        calls.push([name, input]);
        return refusal
          ? { ok: false, status: refusal, problem: { status: refusal, title: "", code: "", detail: "" } }
          : { ok: true, status: 200, value: answer };
      },
    },
  );
  const context = {
    session,
    requestId: "r1",
    connect: () => ({ portalService }),
    log: {
      error: (_: object, message: string) => logged.push(`error: ${message}`),
      warn: (_: object, message: string) => logged.push(`warn: ${message}`),
    },
  } as unknown as PortalContext;
  return { context, session, calls, logged };
}
