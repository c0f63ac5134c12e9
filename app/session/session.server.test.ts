import { expect, test } from "vitest";
import type { Backend } from "~/backend/backend";
import { createSessionKeeper, type SessionKeeper, sessionFrom } from "./session.server";

const inMinutes = (minutes: number) => Math.floor(Date.now() / 1_000) + minutes * 60;

function accessToken(claims: object): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  return `${part({ alg: "EdDSA" })}.${part(claims)}.signature`;
}

const claims = { sub: "u1", preferred_username: "ana", name: "Ana Abt", email: "ana@example.test" };
const result = (number: number) => ({
  accessToken: accessToken({ ...claims, number }),
  expiresIn: 300,
  refreshToken: `refresh-${number}`,
  roles: ["EDITOR"],
  scopes: ["apis:read"],
  needsSecondFactor: false,
});

/** A security-service that counts refreshes and returns the next pair, or the response that the test sets. */
function fakeBackend(refusal?: number) {
  const requested: string[] = [];
  const backend = {
    securityService: {
      refreshForPortal: async ({ body }: { body: { refreshToken: string } }) => {
        requested.push(body.refreshToken);
        if (refusal)
          return {
            ok: false,
            status: refusal,
            problem: { code: refusal === 401 ? "unauthenticated" : "service_unavailable" },
          };
        return { ok: true, status: 200, value: result(requested.length + 1) };
      },
    },
  } as unknown as Backend;
  return { backend: async () => backend, asked: requested };
}

const unused = fakeBackend().backend;
const getKeeper = (secure = false, secretsKey = "a key for tests") =>
  createSessionKeeper({ secretsKey, secure, isOutdated: () => false });
const requestWith = (cookie: string) => new Request("http://localhost/", { headers: { cookie } });

/** The browser's next Cookie header: the pairs of the stored Set-Cookie values, and its consent. */
function browserAfter(setCookies: string[], consent = "cookiesAccepted=Y"): Request {
  const stored = setCookies.filter((cookie) => !cookie.includes("Max-Age=0")).map((cookie) => cookie.split(";")[0]);
  return requestWith([...stored, consent].join("; "));
}

async function signedIn(keeper: SessionKeeper, expiresAt = inMinutes(5)): Promise<Request> {
  const holder = await keeper.open(requestWith("cookiesAccepted=Y"), unused);
  holder.signIn({ ...sessionFrom(result(1), 0), expiresAt });
  return browserAfter(await keeper.commit(holder, requestWith("")));
}

test("the session's user comes from the token's claims, the id from the claim id or else sub", () => {
  expect(sessionFrom(result(1), 1_000)).toMatchObject({
    id: "u1",
    username: "ana",
    fullName: "Ana Abt",
    email: "ana@example.test",
    expiresAt: 1_300,
    roles: ["EDITOR"],
    scopes: ["apis:read"],
  });
  const withId = { ...result(1), accessToken: accessToken({ ...claims, id: "own" }) };
  expect(sessionFrom(withId, 0).id).toBe("own");
});

test("a session is restored from its cookie, which shows nothing of it", async () => {
  const keeper = getKeeper();
  const request = await signedIn(keeper);
  const cookie = request.headers.get("cookie") ?? "";
  for (const secret of ["ana@example.test", "refresh-1", result(1).accessToken]) {
    expect(cookie).not.toContain(secret);
    expect(cookie).not.toContain(Buffer.from(secret).toString("base64url").slice(0, -1));
  }
  const holder = await keeper.open(request, unused);
  expect(holder.auth).toMatchObject({ username: "ana", refreshToken: "refresh-1" });
  expect(await keeper.commit(holder, request)).toEqual([]);
});

test("W06: over TLS the cookie is bound to this host, for ten hours, and not readable by scripts", async () => {
  const keeper = getKeeper(true);
  const holder = await keeper.open(requestWith("cookiesAccepted=Y"), unused);
  holder.signIn(sessionFrom(result(1), inMinutes(0)));
  const [cookie] = await keeper.commit(holder, requestWith(""));
  expect(cookie).toMatch(/^__Host-session\.0=/);
  expect(cookie).toMatch(/; Max-Age=36000; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
});

test("without consent no cookie is stored, and stored ones are removed", async () => {
  const keeper = getKeeper();
  const holder = await keeper.open(requestWith(""), unused);
  holder.signIn(sessionFrom(result(1), inMinutes(0)));
  expect(await keeper.commit(holder, requestWith(""))).toEqual([]);

  const request = await signedIn(keeper);
  const withdrawn = requestWith((request.headers.get("cookie") ?? "").replace("cookiesAccepted=Y", "a=b"));
  const later = await keeper.open(withdrawn, unused);
  expect(later.auth).toBeUndefined();
  expect(await keeper.commit(later, withdrawn)).toEqual([expect.stringMatching(/^session\.0=; Max-Age=0/)]);
});

test("W06: of a thousand cookies with a flipped bit none is accepted and each is removed", async () => {
  const keeper = getKeeper();
  const request = await signedIn(keeper);
  const value = /session\.0=([^;]+)/.exec(request.headers.get("cookie") ?? "")?.[1] ?? "";
  const signs = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.";
  let accepted = 0;
  for (let round = 0; round < 1_000; round++) {
    const index = round % (value.length - 1);
    const before = value[index] as string;
    const after = signs[(signs.indexOf(before) + 1 + (round % (signs.length - 1))) % signs.length] as string;
    if (after === before) continue;
    const changed = requestWith(
      `cookiesAccepted=Y; session.0=${value.slice(0, index)}${after}${value.slice(index + 1)}`,
    );
    const holder = await keeper.open(changed, unused);
    if (holder.auth) accepted++;
    if (round % 100 === 0) expect(await keeper.commit(holder, changed)).toHaveLength(1);
  }
  expect(accepted).toBe(0);
});

test("another installation's cookie and one without its first part are ignored and removed", async () => {
  const keeper = getKeeper();
  const foreign = await signedIn(getKeeper(false, "another key"));
  const late = requestWith("cookiesAccepted=Y; session.1=abc");
  for (const request of [foreign, late]) {
    const holder = await keeper.open(request, unused);
    expect(holder.auth).toBeUndefined();
    expect(await keeper.commit(holder, request)).toEqual([expect.stringContaining("Max-Age=0")]);
  }
});

test("A04: a planted cookie does not survive sign-in, and no two sign-ins issue the same one", async () => {
  const keeper = getKeeper();
  const first = await signedIn(keeper);
  const holder = await keeper.open(first, unused);
  holder.addToast({ id: "1", message: "planted", variant: "dark" });
  holder.signIn(sessionFrom(result(1), inMinutes(0)));
  const second = browserAfter(await keeper.commit(holder, first));
  expect(second.headers.get("cookie")).not.toBe(first.headers.get("cookie"));
  expect((await keeper.open(second, unused)).takeToasts()).toEqual([]);
});

test("an access token about to expire is refreshed before the page is made, and the cookie is updated", async () => {
  const keeper = getKeeper();
  const { backend, asked } = fakeBackend();
  const request = await signedIn(keeper, inMinutes(0) + 10);
  const holder = await keeper.open(request, backend);
  expect(holder.auth).toMatchObject({ refreshToken: "refresh-2", username: "ana" });
  const next = browserAfter(await keeper.commit(holder, request));
  expect((await keeper.open(next, backend)).auth).toMatchObject({ refreshToken: "refresh-2" });
  expect(asked).toEqual(["refresh-1"]);
});

test("A09: twenty requests with one expired token cause one refresh, and a late one gets its successor", async () => {
  const keeper = getKeeper();
  const { backend, asked } = fakeBackend();
  const request = await signedIn(keeper, inMinutes(-1));
  const holders = await Promise.all(Array.from({ length: 20 }, () => keeper.open(request, backend)));
  expect(new Set(holders.map((holder) => holder.auth?.refreshToken))).toEqual(new Set(["refresh-2"]));
  expect((await keeper.open(request, backend)).auth).toMatchObject({ refreshToken: "refresh-2" });
  expect(asked).toEqual(["refresh-1"]);
});

test("A09: a refused refresh ends the session, an unavailable service only postpones it", async () => {
  const keeper = getKeeper();
  const request = await signedIn(keeper, inMinutes(-1));
  const away = await keeper.open(request, fakeBackend(503).backend);
  expect(away.auth).toMatchObject({ refreshToken: "refresh-1" });
  expect([away.refreshPostponed, away.isUndecided]).toEqual([true, true]);
  expect(await keeper.commit(away, request)).toEqual([]);
  const refused = await keeper.open(request, fakeBackend(401).backend);
  expect(refused.auth).toBeUndefined();
  expect(await keeper.commit(refused, request)).toEqual([expect.stringContaining("Max-Age=0")]);
});

test("a toast is shown on the next page and on no other, also when the token was refreshed between", async () => {
  const keeper = getKeeper();
  const request = await signedIn(keeper, inMinutes(0) + 60);
  const saving = await keeper.open(request, unused);
  saving.addToast({ id: "1", message: "Saved.", variant: "success" });
  const next = browserAfter(await keeper.commit(saving, request));
  const displayed = await keeper.open(next, fakeBackend().backend);
  expect(displayed.takeToasts()).toEqual([{ id: "1", message: "Saved.", variant: "success" }]);
  const after = browserAfter(await keeper.commit(displayed, next));
  expect((await keeper.open(after, unused)).takeToasts()).toEqual([]);
});

test("after sign-in the next page asks for outstanding notifications, also when the token was refreshed between", async () => {
  const keeper = getKeeper();
  const request = await signedIn(keeper, inMinutes(0) + 10);
  const holder = await keeper.open(request, fakeBackend().backend);
  expect(holder.auth).toMatchObject({ refreshToken: "refresh-2" });
  expect(holder.announce).toBe("now");
  holder.takeAnnounce();
  const next = browserAfter(await keeper.commit(holder, request));
  expect((await keeper.open(next, fakeBackend().backend)).announce).toBeUndefined();
});

test("a page that redirects leaves its toast and announcement to the destination", async () => {
  const keeper = getKeeper();
  const request = await signedIn(keeper);
  const holder = await keeper.open(request, unused);
  holder.addToast({ id: "1", message: "Saved.", variant: "success" });
  holder.takeToasts();
  holder.takeAnnounce();
  holder.addToast({ id: "2", message: "Moved.", variant: "info" });
  holder.putBack();
  expect(holder.announce).toBe("now");
  expect(holder.takeToasts().map(({ id }) => id)).toEqual(["1", "2"]);
});

test("signing out discards pending toasts and announcements", async () => {
  const keeper = getKeeper();
  const holder = await keeper.open(await signedIn(keeper), unused);
  holder.takeAnnounce();
  holder.clear();
  holder.putBack();
  expect(holder.announce).toBeUndefined();
});

test("the longest legal claims still fit, in several parts", async () => {
  const keeper = getKeeper(true);
  const holder = await keeper.open(requestWith("cookiesAccepted=Y"), unused);
  const long = { ...claims, preferred_username: "ä".repeat(320), name: "名".repeat(500), email: "e".repeat(320) };
  holder.signIn(sessionFrom({ ...result(1), accessToken: accessToken(long) }, inMinutes(0)));
  const cookies = await keeper.commit(holder, requestWith(""));
  expect(cookies.length).toBeGreaterThan(1);
  for (const cookie of cookies) expect(cookie.length).toBeLessThan(4_096);
  expect((await keeper.open(browserAfter(cookies), unused)).auth).toMatchObject({ fullName: long.name });
});
