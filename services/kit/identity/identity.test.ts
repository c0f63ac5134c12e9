import { decodeJwt, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose";
import { pino } from "pino";
import { expect, onTestFinished, test, vi } from "vitest";
import { type AccessChange, createAccessState } from "./access-state.ts";
import { createAuthenticate, issueServiceToken, tokenAudience, tokenIssuer } from "./identity.ts";

const serviceKey = new Uint8Array(32).fill(7);
const seconds = () => Math.floor(Date.now() / 1_000);

const genuineClaims = () => ({
  ...{ iss: tokenIssuer, aud: tokenAudience, sub: "ada", sid: "s1", org: "o1" },
  ...{ roles: ["EDITOR"], scopes: ["apis:read", "tests:write"], exp: seconds() + 300 },
});

/** A service's token, with these claims replaced. */
async function signAsService(claims: JWTPayload = {}, key: Uint8Array = serviceKey): Promise<string> {
  const genuine = decodeJwt(await issueServiceToken(serviceKey, "test-executioner", "o1"));
  return await new SignJWT({ ...genuine, ...claims }).setProtectedHeader({ alg: "HS256" }).sign(key);
}

/** Tokens as issued by security-service, and its changes of their holders' access. */
async function createIssuer() {
  const { privateKey, publicKey } = await generateKeyPair("EdDSA");
  const changes: AccessChange[] = [];
  const accessState = createAccessState({
    read: async (since) => ({ changes: changes.slice(Number(since)), next: String(changes.length) }),
    log: pino({ level: "silent" }),
    poll: false,
  });
  /** A genuine token but for what is given. */
  const sign = (claims: JWTPayload = {}, header: Record<string, unknown> = {}) =>
    new SignJWT({ ...genuineClaims(), ...claims })
      .setProtectedHeader({ alg: "EdDSA", typ: "at+jwt", kid: "one", ...header } as never)
      .sign(privateKey);
  const authenticate = createAuthenticate({
    publicKeys: async () => ({ keys: [{ ...(await exportJWK(publicKey)), alg: "EdDSA", kid: "one" }] }),
    serviceKey,
    accessState,
  });
  return {
    authenticate,
    sign,
    signIn: async (sessionId: string, seconds = 300) =>
      await authenticate(await sign({ sid: sessionId, exp: Math.ceil(Date.now() / 1_000) + seconds })),
    async report(change: AccessChange) {
      changes.push(change);
      await accessState.refresh();
    },
  };
}

test("a subscription ends once with its user's session, and another session's continues", async () => {
  const issuer = await createIssuer();
  const [mine, other, unsubscribed] = [vi.fn(), vi.fn(), vi.fn()];
  const caller = await issuer.signIn("s1");
  caller.onOutdated(mine);
  caller.onOutdated(unsubscribed)();
  (await issuer.signIn("s2")).onOutdated(other);
  await issuer.report({ kind: "session-ended", sessionId: "s1" });
  await issuer.report({ kind: "session-ended", sessionId: "s3" });
  expect([mine, other, unsubscribed].map((listener) => listener.mock.calls.length)).toEqual([1, 0, 0]);
});

test("a subscription ends when its user's roles change, and not when unchanged roles are reported again", async () => {
  const issuer = await createIssuer();
  const listener = vi.fn();
  (await issuer.signIn("s1")).onOutdated(listener);
  const changedTo = (role: string): AccessChange => ({
    kind: "roles-changed",
    userId: "ada",
    organizationId: "o1",
    roles: [role],
    scopes: [],
  });
  await issuer.report(changedTo("EDITOR"));
  expect(listener).not.toHaveBeenCalled();
  await issuer.report(changedTo("VIEWER"));
  expect(listener).toHaveBeenCalledOnce();
});

test("a subscription ends when its token expires", async () => {
  vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"], now: 1_800_000_000_000 });
  onTestFinished(() => void vi.useRealTimers());
  const issuer = await createIssuer();
  const act = vi.fn();
  (await issuer.signIn("s1", 60)).onOutdated(act);
  vi.advanceTimersByTime(59_999);
  expect(act).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(act).toHaveBeenCalledOnce();
});

test("a previously verified token is refused once it expires, and with another signature immediately", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  const issuer = await createIssuer();
  const { token } = await issuer.signIn("s1", 30);
  const [other] = (await issuer.signIn("s2", 30)).token.split(".").slice(2);
  const forged = [...token.split(".").slice(0, 2), other].join(".");
  await expect(issuer.authenticate(token)).resolves.toMatchObject({ sessionId: "s1" });
  await expect(issuer.authenticate(forged)).rejects.toThrow("not one of ours");
  vi.setSystemTime(Date.now() + 32_000);
  await expect(issuer.authenticate(token)).rejects.toThrow("expired");
});

test.each<[string, JWTPayload, Record<string, unknown>?]>([
  ["a refresh token", {}, { typ: "rt+jwt" }],
  ["an ID token", {}, { typ: "JWT" }],
  ["a token without a type", {}, { typ: undefined }],
  ["a token for another audience", { aud: "another-portal" }],
  ["a token of another issuer", { iss: "https://evil.example" }],
  ["a token without an end", { exp: undefined }],
  ["a token that has ended", { exp: seconds() - 1 }],
  ["a token that begins tomorrow", { nbf: seconds() + 86_400 }],
  ["a token without a subject", { sub: undefined }],
  ["a token without an organization", { org: undefined }],
])("%s is no access token", async (_, claims, header) => {
  const { authenticate, sign } = await createIssuer();
  await expect(authenticate(await sign(claims, header))).rejects.toThrow("not one of ours");
});

test("a service's token acts for its organization, without a person's session, roles or scopes", async () => {
  const { authenticate } = await createIssuer();
  expect(await authenticate(await signAsService())).toMatchObject({
    ...{ kind: "service", userId: "test-executioner", organizationId: "o1", roles: [], scopes: [] },
  });
});

test.each<[string, JWTPayload, Uint8Array?]>([
  ["for another audience", { aud: "another-portal" }],
  ["that has ended", { exp: seconds() - 1 }],
  ["without an end", { exp: undefined }],
  ["that begins tomorrow", { nbf: seconds() + 86_400 }],
  ["without an organization", { org: undefined }],
  ["without a subject", { sub: undefined }],
  ["signed with another installation's key", {}, new Uint8Array(32).fill(8)],
  ["that names security-service as its issuer", { iss: tokenIssuer }],
])("a service's token %s is refused", async (_, claims, key) => {
  const { authenticate } = await createIssuer();
  await expect(authenticate(await signAsService(claims, key))).rejects.toThrow("not one of ours");
});

test("a person's key does not sign for a service", async () => {
  const { authenticate, sign } = await createIssuer();
  const claims = decodeJwt(await signAsService());
  await expect(authenticate(await sign(claims))).rejects.toThrow("not one of ours");
});

test("an API token never does more than it was made for, nor more than its owner may do by now", async () => {
  const issuer = await createIssuer();
  const nightly = await issuer.sign({ api_token: "Nightly", scopes: ["apis:read", "tests:write"] });
  expect(await issuer.authenticate(nightly)).toMatchObject({
    ...{ kind: "token", apiToken: "Nightly", scopes: ["apis:read", "tests:write"] },
  });
  const promoted = { kind: "roles-changed", userId: "ada", organizationId: "o1" } as const;
  await issuer.report({ ...promoted, roles: ["ADMIN"], scopes: ["apis:read", "apis:write", "users:manage"] });
  expect((await issuer.authenticate(nightly)).scopes).toEqual(["apis:read"]);
  expect((await issuer.signIn("s2")).scopes).toEqual(["apis:read", "apis:write", "users:manage"]);
});

test("a session with the provider's second factor has the scopes that others lose for want of one", async () => {
  const issuer = await createIssuer();
  const changed = { kind: "roles-changed", userId: "ada", organizationId: "o1" } as const;
  const factorAtProvider = { roles: ["EDITOR"], scopes: ["apis:read" as const] };
  await issuer.report({ ...changed, roles: [], scopes: [], factorAtProvider });
  expect(await issuer.authenticate(await issuer.sign({ amr: ["mfa"] }))).toMatchObject(factorAtProvider);
  expect(await issuer.authenticate(await issuer.sign({ amr: ["pwd"] }))).toMatchObject({ roles: [], scopes: [] });
});
