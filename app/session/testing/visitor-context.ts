import type { AppLoadContext } from "@remix-run/node";
import type { ProblemDetails } from "#contracts/kit/problem.ts";

type Call = (input: never) => Promise<unknown>;

/** The context of a visitor's request, with the service calls that a test needs; any other call fails the test. */
export function visitorContext(calls: Record<string, Call>): AppLoadContext {
  const backend = { securityService: calls, portalService: calls };
  return {
    connectAsPortal: async () => backend,
    clientAddress: "203.0.113.7",
    mailbox: "elsewhere",
    registersByInvitation: false,
    session: { auth: undefined },
  } as unknown as AppLoadContext;
}

/** A form as a browser posts it. */
export function formRequest(path: string, fields: Record<string, string>): Request {
  return new Request(`http://localhost${path}`, { method: "POST", body: new URLSearchParams(fields) });
}

export const accepted = (value: unknown, status = 200) => ({ ok: true, status, value });

export function refusal(problem: Pick<ProblemDetails, "status" | "code" | "detail" | "errors">) {
  return { ok: false, status: problem.status, problem: { type: "about:blank", title: "", ...problem } };
}
