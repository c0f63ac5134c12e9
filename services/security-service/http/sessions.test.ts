import { setTimeout as pause } from "node:timers/promises";
import { decodeJwt, decodeProtectedHeader } from "jose";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { movableClock } from "../../kit/clock/clock.ts";
import type { Database } from "../../kit/database/database.ts";
import { noOrganization } from "../../kit/organization/no-organization.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { administratorPassword, createSecurityWorld, type SecurityWorld } from "../testing/world.ts";

for (const engine of testEngines()) {
  let database: Database;
  let world: SecurityWorld;

  beforeAll(async () => {
    database = await engine.open();
    world = await createSecurityWorld(database);
  });
  afterEach(async () => {
    await world.db.deleteFrom("sessions").execute();
  });
  afterAll(async () => {
    await world.stop();
    await database.close();
  });

  const getCount = async (table: "sessions" | "refresh_tokens") =>
    (await world.db.selectFrom(table).selectAll().execute()).length;

  test(`${engine.name}: signing in returns tokens, roles and scopes, and the claims that the portal reads`, async () => {
    const result = await world.logIn("ADMIN", administratorPassword, { "user-agent": "Firefox\t9" });
    if (!result.ok) throw new Error(result.problem.detail);
    const { accessToken, expiresIn, refreshToken, roles, scopes } = result.value;
    expect(expiresIn).toBe(300);
    expect(refreshToken).toMatch(/^[\w-]{43}$/);
    expect(roles).toEqual(["SYSTEM_ADMIN", "ADMIN"]);
    expect(scopes).toContain("credentials:manage");
    expect(decodeProtectedHeader(accessToken)).toMatchObject({ alg: "EdDSA", typ: "at+jwt" });
    const claims = decodeJwt(accessToken);
    expect(claims).toMatchObject({
      iss: "security-service",
      aud: "api-assurance-portal",
      preferred_username: "Admin",
      name: "Administrator",
      email: "",
      roles,
      scopes,
      org: expect.stringMatching(/^[\da-f-]{36}$/),
      sid: expect.stringMatching(/^[\da-f-]{36}$/),
    });
    expect((claims.exp ?? 0) - (claims.iat ?? 0)).toBe(300);
  });

  test(`${engine.name}: the published keys are public halves only and include the token's key`, async () => {
    const { accessToken } = await world.requireLogin();
    const result = await world.connect().getKeys();
    if (!result.ok) throw new Error(result.problem.detail);
    expect(result.value.keys).toHaveLength(1);
    expect(Object.keys(result.value.keys[0] ?? {}).sort()).toEqual(["alg", "crv", "kid", "kty", "use", "x"]);
    expect(result.value.keys[0]?.kid).toBe(decodeProtectedHeader(accessToken).kid);
  });

  test(`${engine.name}: A05: a wrong password, an unknown name and a disabled account get the same response`, async () => {
    const wrong = await world.logIn("admin", "wrong");
    const unknown = await world.logIn("nobody", "wrong");
    await world.db.updateTable("users").set({ disabled_at: new Date() }).execute();
    const disabled = await world.logIn("admin", administratorPassword);
    await world.db.updateTable("users").set({ disabled_at: null }).execute();
    for (const result of [wrong, unknown, disabled]) {
      expect(result).toMatchObject({ ok: false, status: 401, problem: { code: "invalid_credentials" } });
      if (result.ok) throw new Error("signed in");
      const { requestId: _, ...body } = result.problem;
      if (wrong.ok) throw new Error("signed in");
      const { requestId: __, ...first } = wrong.problem;
      expect(body).toEqual(first);
    }
  });

  test(`${engine.name}: missing or wrongly encoded headers are malformed, and an impossible name is a wrong one`, async () => {
    expect(await world.connect().login()).toMatchObject({ status: 400 });
    expect(await world.connect().login({ headers: { username: "a%ff", password: "b" } })).toMatchObject({
      status: 400,
    });
    expect(await world.logIn("ad\u0000min", "x")).toMatchObject({
      status: 401,
      problem: { code: "invalid_credentials" },
    });
    expect(await world.logIn("admin", "x".repeat(1_001))).toMatchObject({ status: 401 });
  });

  test(`${engine.name}: a refresh returns a new pair with the current roles, and the old token is spent`, async () => {
    const first = await world.requireLogin();
    await world.db
      .updateTable("memberships")
      .set({ roles: ["VIEWER"] })
      .execute();
    const result = await world.connect().refresh({ body: { refreshToken: first.refreshToken } });
    if (!result.ok) throw new Error(result.problem.detail);
    expect(result.value.refreshToken).not.toBe(first.refreshToken);
    expect(result.value.scopes).toEqual(["apis:read", "tests:read"]);
    const caller = await world.service.authenticate(result.value.accessToken);
    await world.db
      .updateTable("memberships")
      .set({ roles: ["SYSTEM_ADMIN", "ADMIN"] })
      .execute();
    expect(caller).toMatchObject({ sessionId: first.caller.sessionId, roles: ["VIEWER"] });
  });

  test(`${engine.name}: A02: a spent refresh token ends its family after the grace period, also for its rightful holder`, async () => {
    const first = await world.requireLogin();
    const refresh = (refreshToken: string) => world.connect().refresh({ body: { refreshToken } });
    const second = await refresh(first.refreshToken);
    if (!second.ok) throw new Error(second.problem.detail);
    world.clock.advance(10_001);
    expect(await refresh(first.refreshToken)).toMatchObject({ status: 401, problem: { code: "unauthenticated" } });
    expect(await refresh(second.value.refreshToken)).toMatchObject({ status: 401 });
    expect(await world.db.selectFrom("sessions").select("ended_because").execute()).toEqual([
      { ended_because: "token_reused" },
    ]);
    expect(world.logged.some((line) => line.includes("spent refresh token"))).toBe(true);
  });

  for (const skew of [90_000, 3_600_000, -90_000, -3_600_000])
    test(`${engine.name}: J05: a browser whose requests reach a process ${skew / 1_000} s ahead stays signed in`, async () => {
      const other = await createSecurityWorld(database, {
        clock: movableClock(new Date(world.clock.now().getTime() + skew)),
        readTime: async () => world.clock.now(),
      });
      try {
        const { refreshToken } = await world.requireLogin();
        for (const { connect } of [world, other, world])
          expect((await connect().refresh({ body: { refreshToken } })).ok).toBe(true);
      } finally {
        await other.stop();
      }
    });

  test(`${engine.name}: A02: twenty parallel refreshes of one browser all succeed and leave one family`, async () => {
    const { refreshToken } = await world.requireLogin();
    const results = await Promise.all(
      Array.from({ length: 20 }, () => world.connect().refresh({ body: { refreshToken } })),
    );
    // One successor for all: a family has a single chain of tokens.
    expect(new Set(results.map((result) => result.ok && result.value.refreshToken)).size).toBe(1);
    expect(await getCount("sessions")).toBe(1);
    expect(await getCount("refresh_tokens")).toBe(2);
    world.clock.advance(60_000);
    const last = results.at(-1);
    if (!last?.ok) throw new Error("refused");
    expect(await world.connect().refresh({ body: { refreshToken: last.value.refreshToken } })).toMatchObject({
      ok: true,
    });
  });

  test(`${engine.name}: A02: the portal may present a spent token for two minutes, and gets the newest of its chain`, async () => {
    const first = await world.requireLogin();
    const token = await world.serviceToken(noOrganization);
    const refresh = async (refreshToken: string) => {
      const result = await world.connect({ token }).refreshForPortal({ body: { refreshToken } });
      return result.ok ? result.value.refreshToken : result.status;
    };
    const second = await refresh(first.refreshToken);
    const third = await refresh(String(second));
    world.clock.advance(120_000);
    expect(await refresh(first.refreshToken)).toBe(third);
    world.clock.advance(1);
    expect(await refresh(first.refreshToken)).toBe(401);
    expect(await refresh(String(third))).toBe(401);
    const { accessToken, refreshToken } = await world.requireLogin();
    const asUser = world.connect({ token: accessToken });
    expect(await asUser.refreshForPortal({ body: { refreshToken } })).toMatchObject({ status: 404 });
  });

  test(`${engine.name}: A02: the portal gets fresh access tokens of a live session and spends nothing`, async () => {
    const { refreshToken, caller } = await world.requireLogin();
    const token = await world.serviceToken(noOrganization);
    const portal = world.connect({ token });
    const next = async () => await portal.continueAccess({ body: { refreshToken } });
    world.clock.advance(20 * 60_000);
    const fresh = await next();
    if (!fresh.ok) throw new Error(fresh.problem.detail);
    expect(fresh.value.expiresIn).toBe(300);
    const holder = await world.service.authenticate(fresh.value.accessToken);
    expect([holder.userId, holder.sessionId]).toEqual([caller.userId, caller.sessionId]);
    const rotated = await portal.refreshForPortal({ body: { refreshToken } });
    expect(rotated).toMatchObject({ ok: true });
    world.clock.advance(20 * 60_000);
    // The browser has refreshed meanwhile: the session counts, not how new its token is.
    expect(await next()).toMatchObject({ ok: true });
    expect(
      await world.connect({ token: fresh.value.accessToken }).continueAccess({ body: { refreshToken } }),
    ).toMatchObject({ status: 404 });
    await world.connect().logout({ body: { refreshToken } });
    expect(await next()).toMatchObject({ status: 401 });
    expect(await portal.continueAccess({ body: { refreshToken: "unknown" } })).toMatchObject({ status: 401 });
  });

  test(`${engine.name}: A02: parallel reuse after the grace period is refused every time`, async () => {
    const { refreshToken } = await world.requireLogin();
    await world.connect().refresh({ body: { refreshToken } });
    world.clock.advance(11_000);
    const results = await Promise.all(
      Array.from({ length: 10 }, () => world.connect().refresh({ body: { refreshToken } })),
    );
    expect(results.map((result) => result.status)).toEqual(Array(10).fill(401));
  });

  test(`${engine.name}: a family ends ten hours after its sign-in, however often it was refreshed`, async () => {
    let { refreshToken } = await world.requireLogin();
    let expiresIn = 300;
    for (let hour = 0; hour < 9; hour += 1) {
      world.clock.advance(3_600_000);
      const result = await world.connect().refresh({ body: { refreshToken } });
      if (!result.ok) throw new Error(result.problem.detail);
      refreshToken = result.value.refreshToken;
    }
    world.clock.advance(3_540_000);
    const almost = await world.connect().refresh({ body: { refreshToken } });
    if (almost.ok) expiresIn = almost.value.expiresIn;
    expect(expiresIn).toBe(60);
    world.clock.advance(60_000);
    expect(await world.connect().refresh({ body: { refreshToken } })).toMatchObject({ status: 401 });
  });

  test(`${engine.name}: an unknown refresh token and an access token get the same refusal`, async () => {
    const { accessToken } = await world.requireLogin();
    for (const refreshToken of ["x", accessToken.slice(0, 500), "\u0000"]) {
      expect(await world.connect().refresh({ body: { refreshToken } })).toMatchObject({ status: 401 });
    }
    expect(await world.connect().refresh({ body: { refreshToken: "" } })).toMatchObject({ status: 422 });
    const text = await world.service.app.request("/auth/refresh", { method: "POST", body: "refreshToken=x" });
    expect(text.status).toBe(415);
  });

  test(`${engine.name}: A03: after signing out the refresh token is refused at once, and signing out twice is no error`, async () => {
    const { refreshToken } = await world.requireLogin();
    expect(await world.connect().logout({ body: { refreshToken } })).toMatchObject({ status: 204 });
    expect(await world.connect().logout({ body: { refreshToken } })).toMatchObject({ status: 204 });
    expect(await world.connect().logout({ body: { refreshToken: "unknown" } })).toMatchObject({ status: 204 });
    expect(await world.connect().refresh({ body: { refreshToken } })).toMatchObject({ status: 401 });
  });

  test(`${engine.name}: A03: a disabled account is not refreshed`, async () => {
    const { refreshToken } = await world.requireLogin();
    await world.db.updateTable("users").set({ disabled_at: new Date() }).execute();
    const result = await world.connect().refresh({ body: { refreshToken } });
    await world.db.updateTable("users").set({ disabled_at: null }).execute();
    expect(result).toMatchObject({ status: 401 });
    expect(await world.connect().refresh({ body: { refreshToken } })).toMatchObject({ status: 401 });
  });

  test(`${engine.name}: users list their own live sessions by page, newest first, with the current one marked`, async () => {
    for (const number of [1, 2, 3]) {
      await world.requireLogin({ "user-agent": `Browser ${number}` });
      await pause(2);
    }
    const { accessToken, caller } = await world.requireLogin({ "user-agent": `${"x".repeat(400)}` });
    const client = world.connect({ token: accessToken });
    const first = await client.listSessions({ query: { limit: 3 } });
    if (!first.ok) throw new Error(first.problem.detail);
    expect(first.value.items.map((item) => item.userAgent)).toEqual(["x".repeat(300), "Browser 3", "Browser 2"]);
    expect(first.value.items.map((item) => item.current)).toEqual([true, false, false]);
    const rest = await client.listSessions({ query: { cursor: first.value.nextCursor ?? "" } });
    if (!rest.ok) throw new Error(rest.problem.detail);
    expect(rest.value).toMatchObject({ items: [{ userAgent: "Browser 1" }], nextCursor: null });
    expect(await client.listSessions({ query: { cursor: "nonsense" } })).toMatchObject({ status: 400 });
    expect(await client.endSession({ params: { sessionId: rest.value.items[0]?.id ?? "" } })).toMatchObject({
      status: 204,
    });
    expect(await client.endSession({ params: { sessionId: rest.value.items[0]?.id ?? "" } })).toMatchObject({
      status: 404,
    });
    expect(await client.endSession({ params: { sessionId: "1" } })).toMatchObject({ status: 400 });
    expect(await client.endSession({ params: { sessionId: caller.sessionId ?? "" } })).toMatchObject({ status: 204 });
    expect(await world.connect().listSessions({ query: {} })).toMatchObject({ status: 401 });
  });

  test(`${engine.name}: T01: another user's session can't be listed or ended`, async () => {
    const { caller, refreshToken } = await world.requireLogin();
    const stranger = await world.serviceToken(caller.organizationId);
    expect(await world.connect({ token: stranger }).listSessions({ query: {} })).toMatchObject({ status: 404 });
    expect(
      await world.connect({ token: stranger }).endSession({ params: { sessionId: caller.sessionId ?? "" } }),
    ).toMatchObject({ status: 404 });
    expect(await world.connect().refresh({ body: { refreshToken } })).toMatchObject({ ok: true });
  });

  test(`${engine.name}: L03: no log line contains a password or a token`, async () => {
    const { accessToken, refreshToken } = await world.requireLogin();
    await world.logIn("admin", "canary-password");
    await world.logIn("canary-typed-as-name", "x");
    await world.connect().refresh({ body: { refreshToken } });
    const text = world.logged.join("\n");
    for (const secret of [accessToken, refreshToken, "canary", administratorPassword])
      expect(text).not.toContain(secret);
    expect(text).toContain("signed in");
  });
}
