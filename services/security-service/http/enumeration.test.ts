import { afterAll, beforeEach, expect, test } from "vitest";
import { testEngines } from "../../kit/testing/databases.ts";
import { createVisitors, subjects } from "../testing/visitors.ts";
import { watchStatements } from "../testing/watched-statements.ts";
import { createSecurityWorld } from "../testing/world.ts";

for (const engine of testEngines()) {
  const database = await engine.open();
  const { database: watched, statements } = watchStatements(database);
  const world = await createSecurityWorld(database, { database: watched });
  const visitors = await createVisitors(world);
  const known = "known@example.com";
  await visitors.requireMember("known");
  const disabled = "disabled@example.com";
  await visitors.requireMember("disabled");
  await world.db.updateTable("users").set({ disabled_at: new Date() }).where("email_key", "=", disabled).execute();

  beforeEach(() => world.clock.advance(25 * 60 * 60 * 1_000));
  afterAll(async () => {
    await world.stop();
    await database.close();
  });

  /** The response as a visitor sees it, and the database statements behind it. */
  async function observe(address: string, ask: (email: string) => ReturnType<typeof visitors.askForReset>) {
    statements.length = 0;
    const result = await ask(address);
    // Periodic jobs of the service query these, once a second or when an email is handed over, independent of any
    // request.
    const ofItself =
      /"(access_changes|installation_settings|ended_organizations)"|"event_deliveries".*for update skip locked|from "security_service"."letters"/s;
    const sent = statements.filter((statement) => !ofItself.test(statement));
    if (!result.ok) throw new Error(result.problem.detail);
    const headers = [...result.response.headers.keys()];
    return { seen: [result.status, JSON.stringify(result.value).replace(address, "…"), headers], sent };
  }

  for (const [form, ask] of [
    ["registration", (email: string) => visitors.register({ email })],
    ["password reset", visitors.askForReset],
  ] as const) {
    test(`${engine.name}: A05: a ${form} has the same response and cost for addresses with, without and with a disabled account`, async () => {
      const unknown = await observe(visitors.freshEmail(), ask);
      expect(unknown.sent.length).toBeGreaterThan(5);
      expect(unknown.sent.filter((statement) => statement === "raw").length).toBeGreaterThan(0);
      expect(unknown.sent.some((statement) => statement.includes('from "security_service"."users"'))).toBe(true);
      for (const address of [known, disabled, known.toUpperCase()]) {
        expect(await observe(address, ask)).toEqual(unknown);
      }
    });

    test(`${engine.name}: A05: a ${form} over the email limit has the same response with and without an account`, async () => {
      const addresses = [visitors.freshEmail(), known];
      const observed = [];
      for (const address of addresses) {
        for (let times = 0; times < 5; times += 1) await ask(address);
        observed.push(await observe(address, ask));
      }
      expect(observed[1]).toEqual(observed[0]);
      expect(observed[0]?.seen[0]).toBe(202);
    });
  }

  test(`${engine.name}: only the mailbox's owner learns that the account exists, and gets no link to another one`, async () => {
    const email = await visitors.getEmailAfter(known, subjects.accountExists, () =>
      visitors.register({ email: known }),
    );
    expect(email.subject).toBe("You have an account already");
    expect(email.text).toContain("https://portal.example.com/login");
    expect(email.text).toContain("https://portal.example.com/password-reset");
    expect(email.text).not.toContain("token=");
  });

  test(`${engine.name}: a requested password reset sends no email to an address that was never confirmed`, async () => {
    await visitors.emailsAreSent();
    const before = world.mail.emails.length;
    await visitors.askForReset("nobody@example.com");
    await visitors.emailsAreSent();
    expect(world.mail.emails).toHaveLength(before);
  });
}
