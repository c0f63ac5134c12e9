import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { Problem } from "#contracts/kit/problem.ts";
import { movableClock } from "../../kit/clock/clock.ts";
import type { Database } from "../../kit/database/database.ts";
import { migrateSchema } from "../../kit/database/migrate.ts";
import { createServiceTokens } from "../../kit/identity/identity.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { createTestIdentities } from "../../kit/testing/identities.ts";
import { readClient } from "../http/client.ts";
import { migrations } from "../store/migrations.ts";
import { type SecurityDatabase, type SecurityTables, schemaName } from "../store/tables.ts";
import { createFormAdmission, type FormPurpose } from "./admit-form.ts";
import type { Verdict } from "./visitor-check.ts";

for (const engine of testEngines()) {
  let database: Database;
  let db: SecurityDatabase;
  let clock: ReturnType<typeof movableClock>;
  let verdict: Verdict;
  beforeAll(async () => {
    database = await engine.open();
    await migrateSchema(database, schemaName, migrations);
    db = database.inSchema<SecurityTables>(schemaName);
  });
  afterAll(() => database.close());
  beforeEach(async () => {
    await db.deleteFrom("login_tries").execute();
    clock = movableClock(new Date());
    verdict = "right";
  });

  /**
   * Sends forms in parallel.
   * @returns how often each result occurred: `admitted` or a problem's code
   */
  async function send(
    count: number,
    form: { purpose?: FormPurpose; address?: string; token?: string },
  ): Promise<Record<string, number>> {
    const { purpose = "registration", address = "203.0.113.9", token } = form;
    const check = { ask: () => Promise.reject(new Error("not asked")), judge: async () => verdict };
    const admit = createFormAdmission({ db, clock, check });
    const outcomes = await Promise.all(
      Array.from({ length: count }, () =>
        admit({ purpose, client: { address, userAgent: "" }, recaptchaToken: token }).then(
          () => "admitted",
          (error: Problem) => error.code,
        ),
      ),
    );
    const counted: Record<string, number> = {};
    for (const outcome of outcomes) counted[outcome] = (counted[outcome] ?? 0) + 1;
    return counted;
  }

  test(`${engine.name}: a valid token admits a hundred forms an hour, no token twenty, and requests for a code forty`, async () => {
    expect(await send(110, { token: "right" })).toEqual({ admitted: 100, too_many_requests: 10 });
    expect(await send(25, {})).toEqual({ admitted: 20, too_many_requests: 5 });
    expect(await send(50, { purpose: "registrationCode" })).toEqual({ admitted: 40, too_many_requests: 10 });
    expect(await send(50, { purpose: "invitationCode" })).toEqual({ admitted: 40, too_many_requests: 10 });
    clock.advance(60 * 60 * 1_000);
    expect(await send(110, { token: "right" })).toEqual({ admitted: 100, too_many_requests: 10 });
    expect(await send(21, {})).toEqual({ admitted: 20, too_many_requests: 1 });
  });

  test(`${engine.name}: every purpose and every client has a separate limit`, async () => {
    await send(21, {});
    expect(await send(1, { purpose: "contact" })).toEqual({ admitted: 1 });
    expect(await send(1, { purpose: "passwordReset" })).toEqual({ admitted: 1 });
    expect(await send(1, { address: "203.0.113.10" })).toEqual({ admitted: 1 });
    expect(await send(1, {})).toEqual({ too_many_requests: 1 });
  });

  test(`${engine.name}: an empty token, as sent by a form without scripts, counts as none`, async () => {
    verdict = "wrong";
    expect(await send(21, { token: "" })).toEqual({ admitted: 20, too_many_requests: 1 });
  });

  test(`${engine.name}: a wrong token is reported at its field and uses up tries, so that calls to the provider are limited`, async () => {
    verdict = "wrong";
    const check = { ask: () => Promise.reject(new Error("not asked")), judge: async () => verdict };
    const admit = createFormAdmission({ db, clock, check });
    const client = { address: "203.0.113.9", userAgent: "" };
    const refused = await admit({ purpose: "contact", client, recaptchaToken: "wrong" }).catch((error) => error);
    expect(refused).toMatchObject({ code: "invalid_input", status: 422 });
    expect(refused.extras.errors).toEqual([
      { path: "recaptchaToken", message: expect.stringContaining("Send the form again") },
    ]);
    expect(await send(110, { purpose: "contact", token: "wrong" })).toEqual({
      invalid_input: 99,
      too_many_requests: 11,
    });
  });

  test(`${engine.name}: while the provider is unavailable a token counts as none, and no visitor is locked out`, async () => {
    verdict = "undecided";
    expect(await send(25, { token: "whatever" })).toEqual({ admitted: 20, too_many_requests: 5 });
  });

  test(`${engine.name}: over a limit the time to wait is given in minutes`, async () => {
    await send(20, {});
    clock.advance(45 * 60 * 1_000);
    const check = { ask: () => Promise.reject(new Error("not asked")), judge: async () => verdict };
    const admit = createFormAdmission({ db, clock, check });
    const client = { address: "203.0.113.9", userAgent: "" };
    const refused = await admit({ purpose: "registration", client, recaptchaToken: undefined }).catch((error) => error);
    expect(refused).toBeInstanceOf(Problem);
    expect(refused).toMatchObject({
      status: 429,
      detail: "Too many forms came from your network. Wait 15 minutes.",
      extras: { retryAfterSeconds: 900 },
    });
  });

  test(`${engine.name}: A07: a forged client address is no new client, and an address from a service is`, async () => {
    const { authenticate, serviceToken } = createTestIdentities();
    const check = { ask: () => Promise.reject(new Error("not asked")), judge: async () => verdict };
    const admit = createFormAdmission({ db, clock, check });
    const stranger = await createServiceTokens(new Uint8Array(32).fill(9), "portal")("any");
    async function sendFrom(number: number, bearer: string | undefined): Promise<boolean> {
      const address = `198.51.100.${number}`;
      const request = new Request("http://service.internal/", {
        headers: {
          "x-client-address": address,
          "x-forwarded-for": address,
          forwarded: `for=${address}`,
          ...(bearer ? { authorization: `Bearer ${bearer}` } : {}),
        },
      });
      const client = await readClient(request, authenticate);
      return await admit({ purpose: "registration", client, recaptchaToken: undefined }).then(
        () => true,
        () => false,
      );
    }
    const admitted = [];
    for (let number = 0; number < 30; number += 1)
      admitted.push(await sendFrom(number, number % 2 ? stranger : undefined));
    expect(admitted.filter(Boolean)).toHaveLength(20);
    const trusted = await serviceToken("any");
    for (let number = 0; number < 30; number += 1) expect(await sendFrom(number, trusted)).toBe(true);
  });
}
