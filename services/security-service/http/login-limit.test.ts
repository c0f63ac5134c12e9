import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { Database } from "../../kit/database/database.ts";
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
    await world.db.deleteFrom("login_tries").execute();
  });
  afterAll(async () => {
    await world.stop();
    await database.close();
  });

  test(`${engine.name}: A06: of fifty passwords at once for one account ten are checked`, async () => {
    const results = await Promise.all(
      Array.from({ length: 50 }, (_, number) => world.logIn("admin", `guess ${number}`)),
    );
    expect(results.filter((result) => result.status === 401)).toHaveLength(10);
    expect(results.filter((result) => result.status === 429)).toHaveLength(40);
  });

  test(`${engine.name}: A06: the limit survives a restart, returns the time to wait and ends after fifteen minutes`, async () => {
    for (let number = 0; number < 10; number += 1) await world.logIn("admin", "guess");
    const again = await createSecurityWorld(database);
    again.clock.moveTo(world.clock.now());
    again.clock.advance(60_000);
    const refused = await again.service.app.request("/auth/login", {
      method: "POST",
      headers: { username: "admin", password: encodeURIComponent(administratorPassword) },
    });
    expect(refused.status).toBe(429);
    expect(refused.headers.get("retry-after")).toBe("840");
    again.clock.advance(14 * 60_000);
    expect(await again.logIn("admin", administratorPassword)).toMatchObject({ ok: true });
    await again.stop();
  });

  test(`${engine.name}: A05: an account that does not exist is limited like one that does`, async () => {
    const results = [];
    for (let number = 0; number < 11; number += 1) results.push(await world.logIn("nobody", "guess"));
    expect(results.map((result) => result.status)).toEqual([...Array(10).fill(401), 429]);
  });

  test(`${engine.name}: signing in with the right password neither uses up tries nor gives an attacker new ones`, async () => {
    for (let number = 0; number < 9; number += 1) await world.logIn("admin", "guess");
    for (let number = 0; number < 12; number += 1) await world.requireLogin();
    expect(await world.logIn("admin", "guess")).toMatchObject({ status: 401 });
    expect(await world.logIn("admin", "guess")).toMatchObject({ status: 429 });
  });

  test(`${engine.name}: A06: one password on many accounts is stopped by the client's address`, async () => {
    const token = await world.serviceToken("portal");
    const from = (address: string, number: number) =>
      world.logIn(`user${number}`, "Summer2026", { "x-client-address": address }, token);
    const results = await Promise.all(Array.from({ length: 101 }, (_, number) => from("203.0.113.9", number)));
    expect(results.filter((result) => result.status === 429)).toHaveLength(1);
    expect(await from("203.0.113.10", 200)).toMatchObject({ status: 401 });
  });

  test(`${engine.name}: A06: guessing from elsewhere neither locks the owner out of a known address nor allows more guesses`, async () => {
    const token = await world.serviceToken("portal");
    const from = (address: string, password: string) =>
      world.logIn("admin", password, { "x-client-address": address }, token);
    expect(await from("203.0.113.20", administratorPassword)).toMatchObject({ ok: true });
    for (let number = 0; number < 10; number += 1) await from(`198.51.100.${number}`, "guess");
    expect(await from("198.51.100.99", administratorPassword)).toMatchObject({ status: 429 });
    expect(await from("203.0.113.20", administratorPassword)).toMatchObject({ ok: true });
    const guesses = await Promise.all(Array.from({ length: 20 }, () => from("203.0.113.20", "guess")));
    expect(guesses.filter((result) => result.status === 401)).toHaveLength(10);
    world.clock.advance(31 * 24 * 60 * 60 * 1_000);
    for (let number = 0; number < 10; number += 1) await from(`198.51.100.${number}`, "guess");
    expect(await from("203.0.113.20", administratorPassword)).toMatchObject({ status: 429 });
  });

  test(`${engine.name}: A06: an exhausted address still admits users who signed in from there before, with the right password only`, async () => {
    const token = await world.serviceToken("portal");
    const from = (address: string, name: string, password: string) =>
      world.logIn(name, password, { "x-client-address": address }, token);
    const office = "203.0.113.30";
    expect(await from(office, "admin", administratorPassword)).toMatchObject({ ok: true });
    await Promise.all(Array.from({ length: 100 }, (_, number) => from(office, `user${number}`, "Summer2026")));
    const stranger = await from(office, "nobody", "guess");
    expect(stranger).toMatchObject({ status: 429, problem: { code: "too_many_requests" } });
    expect(await from(office, "admin", administratorPassword)).toMatchObject({ ok: true });
    const wrong = await from(office, "admin", "guess");
    expect(wrong).toMatchObject({
      status: 429,
      problem: { detail: (stranger as typeof wrong & { ok: false }).problem.detail },
    });
    for (let number = 0; number < 10; number += 1) await from(office, "admin", "guess");
    expect(await from(office, "admin", administratorPassword)).toMatchObject({ status: 429 });
    // Another exhausted address, unknown to every account.
    const elsewhere = "203.0.113.31";
    await Promise.all(Array.from({ length: 100 }, (_, number) => from(elsewhere, `user${number}`, "Summer2026")));
    expect(await from(elsewhere, "admin", administratorPassword)).toMatchObject({ status: 429 });
  });

  test(`${engine.name}: A07: a client address is accepted only with a service token`, async () => {
    const { accessToken } = await world.requireLogin();
    const from = (number: number, token?: string) =>
      world.logIn(
        `user${number}`,
        "x",
        { "x-client-address": `198.51.100.${number}`, "x-forwarded-for": `1.1.1.${number}` },
        token,
      );
    const results = await Promise.all(
      Array.from({ length: 101 }, (_, number) => from(number, number % 2 ? accessToken : undefined)),
    );
    expect(results.filter((result) => result.status === 429)).toHaveLength(1);
  });

  test(`${engine.name}: A08: a hundred logins at once all get a response`, async () => {
    const results = await Promise.all(Array.from({ length: 100 }, (_, number) => world.logIn(`user${number}`, "x")));
    expect(results.every((result) => result.status === 401)).toBe(true);
  });
}
