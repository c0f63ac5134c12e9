import { Authenticator } from "remix-auth";
import { FormStrategy } from "remix-auth-form";
import type { ProblemDetails } from "#contracts/kit/problem.ts";
import type { Backend } from "~/backend/backend";
import { sessionFrom } from "~/session/session.server";
import type { AuthSession } from "~/session/stored-session";

/** A sign-in that security-service refused; `problem` says why. */
export class SignInRefused extends Error {
  override readonly name = "SignInRefused";
  constructor(readonly problem: ProblemDetails) {
    super(problem.detail);
  }
}

/**
 * Signs in with the form fields `username` and `password`.
 * @param backend opened by `connectAsPortal`: only then is the visitor's address trusted, which limits attempts
 * @throws SignInRefused
 */
export function createSignIn(backend: Backend, clientAddress: string): (request: Request) => Promise<AuthSession> {
  const authenticator = new Authenticator<AuthSession>();
  authenticator.use(
    new FormStrategy(async ({ form, request }) => {
      const result = await backend.securityService.login({
        headers: {
          username: encodeURIComponent(String(form.get("username") ?? "")),
          password: encodeURIComponent(String(form.get("password") ?? "")),
          "x-client-address": clientAddress,
          "x-user-agent": request.headers.get("user-agent")?.slice(0, 300) ?? "",
        },
      });
      if (!result.ok) throw new SignInRefused(result.problem);
      return sessionFrom(result.value, Date.now() / 1_000);
    }),
    "form",
  );
  return (request) => authenticator.authenticate("form", request);
}
