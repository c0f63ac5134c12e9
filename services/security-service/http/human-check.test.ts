import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../../kit/database/database.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { solveProofOfWork } from "../testing/proof-of-work.ts";
import { createSecurityWorld, type SecurityWorld } from "../testing/world.ts";

for (const engine of testEngines()) {
  let database: Database;
  let world: SecurityWorld;
  beforeAll(async () => {
    database = await engine.open();
    world = await createSecurityWorld(database);
  });
  afterAll(async () => {
    await world.stop();
    await database.close();
  });

  async function admit(form: { clientAddress?: string; recaptchaToken?: string }) {
    const token = await world.serviceToken("any");
    return await world.connect({ token }).admitVisitor({ body: { purpose: "contact", ...form } });
  }

  test(`${engine.name}: the check is public, and its response is never cached`, async () => {
    const requested = await world.connect().getHumanCheck();
    expect(requested).toMatchObject({ ok: true, value: { kind: "proofOfWork" } });
    if (requested.ok) expect(requested.response.headers.get("cache-control")).toBe("no-store");
  });

  test(`${engine.name}: a solved check admits a visitor to another service, once`, async () => {
    const requested = await world.connect().getHumanCheck();
    if (!requested.ok) throw new Error(requested.problem.detail);
    const recaptchaToken = await solveProofOfWork(requested.value);
    const form = { clientAddress: "203.0.113.9", recaptchaToken };
    expect(await admit(form)).toMatchObject({ status: 204 });
    expect(await admit(form)).toMatchObject({ status: 422, problem: { errors: [{ path: "recaptchaToken" }] } });
  });

  test(`${engine.name}: visitors without a token are limited by address, and get the time to wait`, async () => {
    const form = { clientAddress: "203.0.113.20" };
    for (let number = 0; number < 20; number += 1) expect(await admit(form)).toMatchObject({ status: 204 });
    const token = await world.serviceToken("any");
    const refused = await world.service.app.request("/internal/v1/visitors/admit", {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ purpose: "contact", ...form }),
    });
    expect(refused.status).toBe(429);
    expect(refused.headers.get("retry-after")).toBe("3600");
    expect(await admit({ clientAddress: "203.0.113.21" })).toMatchObject({ status: 204 });
  });

  test(`${engine.name}: only services may admit visitors`, async () => {
    const { accessToken } = await world.requireLogin();
    const body = { purpose: "contact" as const };
    expect(await world.connect().admitVisitor({ body })).toMatchObject({ status: 401 });
    expect(await world.connect({ token: accessToken }).admitVisitor({ body })).toMatchObject({ status: 404 });
  });

  test(`${engine.name}: a configured provider replaces the proof of work`, async () => {
    const provided = await createSecurityWorld(database, {
      humanCheckProvider: {
        siteKey: "site",
        secret: "secret",
        verifyUrl: "http://127.0.0.1:9/siteverify",
        scriptUrl: "https://provider.example/api.js",
      },
    });
    expect(await provided.connect().getHumanCheck()).toMatchObject({ value: { kind: "provider", siteKey: "site" } });
    const token = await provided.serviceToken("any");
    const body = { purpose: "contact" as const, clientAddress: "203.0.113.30", recaptchaToken: "x" };
    expect(await provided.connect({ token }).admitVisitor({ body })).toMatchObject({ status: 204 });
    await provided.stop();
  });
}
