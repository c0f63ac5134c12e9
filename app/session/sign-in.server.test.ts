import { expect, test } from "vitest";
import type { Backend } from "~/backend/backend";
import { createSignIn, SignInRefused } from "./sign-in.server";

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
const accessToken = `${part({ alg: "EdDSA" })}.${part({ sub: "u1", preferred_username: "zoë" })}.s`;

function backendThat(result: object) {
  const sent: Record<string, string>[] = [];
  const login = async ({ headers }: { headers: Record<string, string> }) => {
    sent.push(headers);
    return result;
  };
  return { backend: { securityService: { login } } as unknown as Backend, sent };
}

function formRequest(fields: Record<string, string>): Request {
  return new Request("http://localhost/login", {
    method: "POST",
    body: new URLSearchParams(fields),
    headers: { "user-agent": "Firefox" },
  });
}

test("name and password go percent-encoded in headers, with the visitor's address and browser", async () => {
  const value = { accessToken, expiresIn: 300, refreshToken: "r", roles: [], scopes: [] };
  const { backend, sent } = backendThat({ ok: true, status: 200, value });
  const session = await createSignIn(backend, "203.0.113.7")(formRequest({ username: "zoë", password: "ß \r\n%" }));
  expect(session).toMatchObject({ id: "u1", username: "zoë", refreshToken: "r" });
  expect(sent).toEqual([
    {
      username: "zo%C3%AB",
      password: "%C3%9F%20%0D%0A%25",
      "x-client-address": "203.0.113.7",
      "x-user-agent": "Firefox",
    },
  ]);
});

test("a refusal of security-service is passed on with its reason", async () => {
  const problem = { status: 429, code: "too_many_requests", detail: "Too many tries to sign in. Wait 3 minutes." };
  const { backend } = backendThat({ ok: false, status: 429, problem });
  const refused = await createSignIn(
    backend,
    "",
  )(formRequest({ username: "a", password: "b" })).catch((error) => error);
  expect(refused).toBeInstanceOf(SignInRefused);
  expect(refused.problem).toEqual(problem);
});
