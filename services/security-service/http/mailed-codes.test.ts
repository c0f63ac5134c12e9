import { afterAll, beforeEach, expect, test } from "vitest";
import { testEngines } from "../../kit/testing/databases.ts";
import { codeIn, createVisitors, goodPassword, subjects, wrongCode } from "../testing/visitors.ts";
import { createSecurityWorld } from "../testing/world.ts";

const hour = 60 * 60 * 1_000;

for (const engine of testEngines()) {
  const database = await engine.open();
  const world = await createSecurityWorld(database);
  const visitors = await createVisitors(world);
  const { client } = visitors;
  let email = "";

  beforeEach(() => {
    email = visitors.freshEmail();
    // Visitors limited by the test before are free again.
    world.clock.advance(2 * hour);
  });
  afterAll(async () => {
    await world.stop();
    await database.close();
  });

  const accountFor = (username: string, registration: { token: string; code: string }) => ({
    ...registration,
    username,
    fullName: "Ada Lovelace",
    password: goodPassword,
  });
  test(`${engine.name}: T06: of fifteen guesses at once five count, and then even the right code is refused`, async () => {
    const { token, code } = await visitors.requireRegistration(email);
    const guesses = Array.from({ length: 15 }, (_, step) => ({ token, code: wrongCode(code, step + 1) }));
    const results = await Promise.all(
      guesses.map((guess) => client.createAccount({ body: accountFor("guess", guess) })),
    );
    expect(results.every((result) => result.status === 422)).toBe(true);
    const link = await world.db
      .selectFrom("mailed_links")
      .select(["code_tries", "tries"])
      .where("email", "=", email)
      .executeTakeFirstOrThrow();
    expect(link).toEqual({ code_tries: 5, tries: 15 });
    expect(await client.createAccount({ body: accountFor("guess", { token, code }) })).toMatchObject({
      status: 422,
      problem: { errors: [{ path: "code", message: expect.stringMatching(/new one/) }] },
    });
  });

  test(`${engine.name}: T06: a link ends with its twentieth try, so that it can't be used to list usernames`, async () => {
    await visitors.requireMember("katherine");
    const registration = await visitors.requireRegistration(email);
    const taken = () => client.createAccount({ body: accountFor("KATHERINE", registration) });
    for (let tries = 0; tries < 20; tries += 1)
      expect(await taken()).toMatchObject({ status: 422, problem: { errors: [{ path: "username" }] } });
    expect(await taken()).toMatchObject({ status: 404 });
    expect(await client.createAccount({ body: accountFor("free-name", registration) })).toMatchObject({ status: 404 });
  });

  test(`${engine.name}: a weak password or a taken name uses no code, and can be corrected`, async () => {
    await visitors.requireMember("dorothy");
    const registration = await visitors.requireRegistration(email);
    const account = accountFor("dorothy", registration);
    for (const password of ["password password", "ada lovelace ada lovelace"])
      expect(await client.createAccount({ body: { ...account, password } })).toMatchObject({
        status: 422,
        problem: { errors: [{ path: "password" }] },
      });
    expect(await client.createAccount({ body: account })).toMatchObject({
      problem: { errors: [{ path: "username" }] },
    });
    expect(await client.createAccount({ body: { ...account, username: "dorothy-2" } })).toMatchObject({ status: 201 });
  });

  test(`${engine.name}: a wrong code is reported before any error in password or name`, async () => {
    const { token, code } = await visitors.requireRegistration(email);
    const result = await client.createAccount({
      body: { ...accountFor("admin", { token, code: wrongCode(code) }), password: "password password" },
    });
    expect(result).toMatchObject({ status: 422, problem: { errors: [{ path: "code" }] } });
    if (!result.ok) expect(result.problem.errors).toHaveLength(1);
  });

  test(`${engine.name}: a new code is sent after half a minute, replaces the old one, and five are sent per hour`, async () => {
    const { token, code } = await visitors.requireRegistration(email);
    const early = await visitors.askForCode(token);
    expect(early).toMatchObject({ status: 429, problem: { detail: expect.stringMatching(/30 seconds/) } });
    const codes = [code];
    for (let times = 0; times < 4; times += 1) {
      world.clock.advance(30_000);
      const message = await visitors.getEmailAfter(email, subjects.code, () => visitors.askForCode(token));
      codes.push(codeIn(message));
    }
    world.clock.advance(30_000);
    expect(await visitors.askForCode(token)).toMatchObject({ status: 429 });
    expect(await client.createAccount({ body: accountFor("old-code", { token, code }) })).toMatchObject({
      status: 422,
    });
    expect(
      await client.createAccount({ body: accountFor("new-code", { token, code: codes[4] as string }) }),
    ).toMatchObject({ status: 201 });
  });

  test(`${engine.name}: a code expires after ten minutes`, async () => {
    const registration = await visitors.requireRegistration(email);
    world.clock.advance(10 * 60_000);
    expect(await client.createAccount({ body: accountFor("slow", registration) })).toMatchObject({
      status: 422,
      problem: { errors: [{ path: "code" }] },
    });
  });
}
