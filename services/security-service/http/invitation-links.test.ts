import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeEach, expect, test } from "vitest";
import { testEngines } from "../../kit/testing/databases.ts";
import { codeIn, createVisitors, goodPassword, subjects, tokenIn, wrongCode } from "../testing/visitors.ts";
import { createSecurityWorld } from "../testing/world.ts";

const hour = 60 * 60 * 1_000;

for (const engine of testEngines()) {
  const database = await engine.open();
  const world = await createSecurityWorld(database);
  const visitors = await createVisitors(world);
  const { client } = visitors;
  const acme = await visitors.requireMember("acme", { organizationName: "Acme" });
  let email = "";

  beforeEach(() => {
    email = visitors.freshEmail();
    world.clock.advance(25 * hour);
  });
  afterAll(async () => {
    await world.stop();
    await database.close();
  });

  const requireCode = async (token: string) =>
    codeIn(await visitors.getEmailAfter(email, subjects.code, () => visitors.askForInvitationCode(token)));
  const accountFor = (username: string, token: string, code: string) => ({
    token,
    code,
    username,
    fullName: "Grace Hopper",
    password: goodPassword,
  });
  const membersOfAcme = () =>
    world.db
      .selectFrom("memberships")
      .select(["user_id", "roles"])
      .where("organization_id", "=", acme.caller.organizationId)
      .execute();
  const getInvitationId = async (address: string) => {
    const list = await acme.client.listInvitations({ query: { query: address } });
    return list.ok ? (list.value.items[0]?.id ?? "") : "";
  };

  test(`${engine.name}: the invited user joins the inviting organization with exactly the offered roles`, async () => {
    const token = await visitors.requireInvitationToken(acme, email, ["EDITOR", "VIEWER"]);
    expect(await client.getInvitationOffer({ params: { token } })).toMatchObject({
      value: { email, organizationName: "Acme", invitedBy: "Full acme", roles: ["EDITOR", "VIEWER"] },
    });
    const member = await visitors.requireMemberByInvitation("grace", token);
    expect(member.caller).toMatchObject({ organizationId: acme.caller.organizationId, roles: ["EDITOR", "VIEWER"] });
    const invitation = await acme.client.getInvitation({ params: { invitationId: await getInvitationId(email) } });
    expect(invitation).toMatchObject({ value: { status: "ACCEPTED" } });
    expect(await client.getInvitationOffer({ params: { token } })).toMatchObject({ status: 404 });
  });

  test(`${engine.name}: T06: a mail scanner that follows the link a hundred times accepts and changes nothing`, async () => {
    const token = await visitors.requireInvitationToken(acme, email);
    const rows = () =>
      Promise.all(
        (["mailed_links", "invitations", "users"] as const).map((table) =>
          world.db.selectFrom(table).selectAll().execute(),
        ),
      );
    await expect
      .poll(async () => (await rows())[1]?.some((row) => "status" in row && row.status === "PENDING"))
      .toBe(false);
    const before = await rows();
    for (let times = 0; times < 100; times += 1)
      expect(await client.getInvitationOffer({ params: { token } })).toMatchObject({ status: 200 });
    expect(await rows()).toEqual(before);
  });

  test(`${engine.name}: T06: of fifty acceptances at once exactly one creates a member`, async () => {
    const token = await visitors.requireInvitationToken(acme, email);
    const code = await requireCode(token);
    const before = (await membersOfAcme()).length;
    const results = await Promise.all(
      Array.from({ length: 50 }, (_, number) =>
        client.createAccountByInvitation({ body: accountFor(`invited-${number}`, token, code) }),
      ),
    );
    expect(results.filter((result) => result.ok)).toHaveLength(1);
    expect((await membersOfAcme()).length).toBe(before + 1);
  });

  test(`${engine.name}: T06: a recipient of a forwarded link still needs the code from the invited mailbox`, async () => {
    const token = await visitors.requireInvitationToken(acme, email);
    const code = await requireCode(token);
    const stranger = accountFor("stranger", token, wrongCode(code));
    expect(await client.createAccountByInvitation({ body: stranger })).toMatchObject({
      status: 422,
      problem: { errors: [{ path: "code" }] },
    });
    const withAddress = { ...accountFor("invited", token, code), email: "stranger@example.com", roles: ["ADMIN"] };
    const created = await client.createAccountByInvitation({ body: withAddress });
    if (!created.ok) throw new Error(created.problem.detail);
    const user = await world.db
      .selectFrom("users")
      .select("email")
      .where("id", "=", created.value.id)
      .executeTakeFirstOrThrow();
    expect(user.email).toBe(email);
    expect((await membersOfAcme()).find((member) => member.user_id === created.value.id)?.roles).toEqual(["EDITOR"]);
  });

  test(`${engine.name}: T06: expired, cancelled, replaced, guessed and other links get the same response`, async () => {
    const expired = await visitors.requireInvitationToken(acme, email);
    world.clock.advance(7 * 24 * hour);
    const cancelledEmail = visitors.freshEmail();
    const cancelled = await visitors.requireInvitationToken(acme, cancelledEmail);
    await acme.client.cancelInvitation({ params: { invitationId: await getInvitationId(cancelledEmail) } });
    const replacedEmail = visitors.freshEmail();
    const replaced = await visitors.requireInvitationToken(acme, replacedEmail);
    await visitors.requireInvitationToken(acme, replacedEmail);
    const otherPurpose = (await visitors.requireRegistration(visitors.freshEmail())).token;
    const problems = [];
    for (const token of [expired, cancelled, replaced, "guessed", otherPurpose]) {
      for (const result of [
        await client.getInvitationOffer({ params: { token } }),
        await visitors.askForInvitationCode(token),
        await client.createAccountByInvitation({ body: accountFor("late", token, "123456") }),
      ]) {
        if (result.ok) throw new Error("accepted");
        const { requestId: _, ...problem } = result.problem;
        problems.push(JSON.stringify(problem));
      }
    }
    expect(new Set(problems).size).toBe(1);
    expect(problems[0]).toContain("not_found");
  });

  test(`${engine.name}: T06: cancelling during an acceptance leaves either a member or none`, async () => {
    const token = await visitors.requireInvitationToken(acme, email);
    const code = await requireCode(token);
    const invitationId = await getInvitationId(email);
    const before = (await membersOfAcme()).length;
    const accepting = client.createAccountByInvitation({ body: accountFor("racer", token, code) });
    // After the first read of the invitation; hashing the password takes longer than cancelling.
    const getTries = () => world.db.selectFrom("mailed_links").select("tries").where("email", "=", email).execute();
    while ((await getTries())[0]?.tries === 0) await pause(1);
    const cancelled = await acme.client.cancelInvitation({ params: { invitationId } });
    const accepted = await accepting;
    expect(accepted.ok).toBe(!cancelled.ok);
    expect((await membersOfAcme()).length).toBe(before + (accepted.ok ? 1 : 0));
  });

  test(`${engine.name}: T06: an invitation of a deleted organization leads nowhere`, async () => {
    const deleted = await visitors.requireMember("gone", { organizationName: "Gone" });
    const token = await visitors.requireInvitationToken(deleted, email);
    await world.db.deleteFrom("organizations").where("id", "=", deleted.caller.organizationId).execute();
    expect(await client.getInvitationOffer({ params: { token } })).toMatchObject({ status: 404 });
    expect(await visitors.askForInvitationCode(token)).toMatchObject({ status: 404 });
  });

  test(`${engine.name}: an address with an account elsewhere is invited like any other, and its owner learns why it can't join`, async () => {
    await visitors.requireMember("elsewhere");
    email = "elsewhere@example.com";
    world.clock.advance(hour);
    const invited = await acme.client.invite({
      body: { emails: [email, "unknown@example.com"], roles: ["VIEWER"] },
    });
    if (!invited.ok) throw new Error(invited.problem.detail);
    const [known, unknown] = invited.value.items.map(({ id: _, email: __, ...rest }) => rest);
    expect(known).toEqual(unknown);
    const token = tokenIn(await world.mail.newest(email, /invited/));
    const code = await requireCode(token);
    expect(await client.createAccountByInvitation({ body: accountFor("second", token, code) })).toMatchObject({
      status: 409,
      problem: { code: "conflict", detail: expect.stringMatching(/one organization/) },
    });
    expect(await client.getInvitationOffer({ params: { token } })).toMatchObject({ status: 200 });
  });
}
