import { sql } from "kysely";
import { expect, test } from "vitest";
import type { Database } from "../../kit/database/database.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import type { CollectedEmails } from "../../kit/testing/emails.ts";
import { codeIn, createVisitors, goodPassword, subjects, tokenIn, wrongCode } from "../testing/visitors.ts";
import { createSecurityWorld } from "../testing/world.ts";

/** Every row of every table, including the queue's. */
async function dump({ kysely }: Database): Promise<string> {
  const tables = await sql<{ schema: string; name: string }>`
    select schemaname as schema, tablename as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema')`.execute(kysely);
  const rows: string[] = [];
  for (const { schema, name } of tables.rows) {
    const table = await sql<{ row: string }>`select row_to_json(t)::text as row from ${sql.id(schema, name)} t`.execute(
      kysely,
    );
    rows.push(...table.rows.map(({ row }) => `${schema}.${name} ${row}`));
  }
  return rows.join("\n");
}

/** Not as part of a hash or of a fraction of a second. */
const standsIn = (text: string, code: string) => new RegExp(`(?<![0-9a-zA-Z._-])${code}(?![0-9a-zA-Z_-])`).test(text);

for (const engine of testEngines()) {
  test(`${engine.name}: L01, L03: no log and no table contains tokens, codes or passwords of any flow`, async () => {
    const database = await engine.open();
    let emails: CollectedEmails | undefined;
    const world = await createSecurityWorld(database, {
      delivery: {
        // Emails awaiting a retry stay in the queue's table.
        async deliver(id, email) {
          await emails?.deliver(id, email);
          throw new Error("the mail server is busy");
        },
        close: async () => {},
      },
    });
    emails = world.mail;
    const visitors = await createVisitors(world);
    const { client } = visitors;
    const secrets: string[] = [goodPassword];
    const codes: string[] = [];
    const passwordNumber = (number: number) => `canary ${number} gravel teapot orbit`;

    const ada = await visitors.requireMember("ada", { organizationName: "Acme" });
    secrets.push(ada.accessToken, ada.refreshToken);

    const registration = await visitors.requireRegistration("grace@example.com");
    const account = { ...registration, username: "ada", fullName: "Grace", password: passwordNumber(1) };
    await client.createAccount({ body: { ...account, code: wrongCode(registration.code) } });
    await client.createAccount({ body: account });
    await client.createAccount({ body: { ...account, password: "canary canary canary" } });
    await client.createAccount({ body: { ...account, username: "grace" } });

    const invitationToken = await visitors.requireInvitationToken(ada, "joan@example.com");
    await client.getInvitationOffer({ params: { token: invitationToken } });
    const invitationCode = codeIn(
      await visitors.getEmailAfter("joan@example.com", subjects.code, () =>
        visitors.askForInvitationCode(invitationToken),
      ),
    );
    const invited = { token: invitationToken, code: invitationCode, username: "joan", fullName: "Joan" };
    await client.createAccountByInvitation({ body: { ...invited, password: passwordNumber(2) } });

    const resetToken = tokenIn(
      await visitors.getEmailAfter(ada.email, subjects.passwordReset, () => visitors.askForReset(ada.email)),
    );
    await client.completePasswordReset({ body: { token: resetToken, password: "canary canary canary" } });
    await client.completePasswordReset({ body: { token: resetToken, password: passwordNumber(3) } });
    expect(await world.logIn("ada", passwordNumber(3))).toMatchObject({ ok: true });

    const open = tokenIn(
      await visitors.getEmailAfter("last@example.com", subjects.registration, () =>
        visitors.register({ email: "last@example.com" }),
      ),
    );
    secrets.push(registration.token, invitationToken, resetToken, open, "canary");
    codes.push(registration.code, invitationCode);

    const [stored, logged] = [await dump(database), world.logged.join("\n")];
    expect(stored).toContain("security_service.mailed_links");
    expect(stored).toContain("security_service.letters");
    expect(logged).toContain("joined by invitation");
    for (const text of [stored, logged]) {
      for (const secret of secrets) expect(text).not.toContain(secret);
      for (const code of codes) expect(standsIn(text, code)).toBe(false);
    }
    await world.stop();
    await database.close();
  });

  test(`${engine.name}: L03: an internal error is logged without the token in the request path`, async () => {
    const database = await engine.open();
    const world = await createSecurityWorld(database);
    await world.db.schema.dropTable("mailed_links").execute();
    const result = await world.connect().getInvitationOffer({ params: { token: "canary-token" } });
    expect(result).toMatchObject({ status: 500 });
    expect(world.logged.join("\n")).toContain("/auth/v1/invitation/:token");
    expect(world.logged.join("\n")).not.toContain("canary");
    await world.stop();
    await database.close();
  });
}
