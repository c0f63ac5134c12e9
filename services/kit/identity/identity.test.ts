import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { pino } from "pino";
import { expect, onTestFinished, test, vi } from "vitest";
import { createAuthenticate, tokenAudience, tokenIssuer } from "./identity.ts";
import { type AccessChange, createStandings } from "./standings.ts";

/** Tokens as issued by security-service, and its changes of their holders' access. */
async function createIssuer() {
  const { privateKey, publicKey } = await generateKeyPair("EdDSA");
  const changes: AccessChange[] = [];
  const standings = createStandings({
    read: async (since) => ({ changes: changes.slice(Number(since)), next: String(changes.length) }),
    log: pino({ level: "silent" }),
    poll: false,
  });
  const authenticate = createAuthenticate({
    publicKeys: async () => ({ keys: [{ ...(await exportJWK(publicKey)), alg: "EdDSA", kid: "one" }] }),
    serviceKey: new Uint8Array(32).fill(7),
    standings,
  });
  return {
    authenticate,
    signIn: async (sessionId: string, seconds = 300) =>
      await authenticate(
        await new SignJWT({ sid: sessionId, org: "o1", roles: ["EDITOR"], scopes: ["apis:read"] })
          .setProtectedHeader({ alg: "EdDSA", typ: "at+jwt", kid: "one" })
          .setIssuer(tokenIssuer)
          .setAudience(tokenAudience)
          .setSubject("ada")
          .setExpirationTime(Math.ceil(Date.now() / 1_000) + seconds)
          .sign(privateKey),
      ),
    async report(change: AccessChange) {
      changes.push(change);
      await standings.look();
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
  const issuer = await createIssuer();
  const caller = await issuer.signIn("s1", 1);
  await new Promise<void>((resolve) => caller.onOutdated(resolve));
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
