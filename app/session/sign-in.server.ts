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

interface Login {
  username: string;
  password: string;
  clientAddress: string;
  userAgent: string | null;
}

/**
 * @param backend opened by `connectAsPortal`: only then is the visitor's address trusted, which limits attempts
 * @throws SignInRefused
 */
export async function logIn(backend: Backend, { username, password, ...from }: Login): Promise<AuthSession> {
  const result = await backend.securityService.login({
    headers: {
      username: encodeURIComponent(username),
      password: encodeURIComponent(password),
      "x-client-address": from.clientAddress,
      "x-user-agent": from.userAgent?.slice(0, 300) ?? "",
    },
  });
  if (!result.ok) throw new SignInRefused(result.problem);
  return sessionFrom(result.value, Date.now() / 1_000);
}

/** Signs in with the form fields `username` and `password`; as `logIn`. */
export function createSignIn(backend: Backend, clientAddress: string): (request: Request) => Promise<AuthSession> {
  const authenticator = new Authenticator<AuthSession>();
  authenticator.use(
    new FormStrategy(async ({ form, request }) => {
      const [username, password] = [String(form.get("username") ?? ""), String(form.get("password") ?? "")];
      const userAgent = request.headers.get("user-agent");
      return await logIn(backend, { username, password, clientAddress, userAgent });
    }),
    "form",
  );
  return (request) => authenticator.authenticate("form", request);
}
