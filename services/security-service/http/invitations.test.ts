import { uuidv7 } from "uuidv7";
import { afterAll, beforeEach, expect, test } from "vitest";
import type { Invitation } from "#contracts/security-service/invitations.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { createInviter } from "../testing/inviting-member.ts";
import { createVisitors, subjects } from "../testing/visitors.ts";
import { createSecurityWorld } from "../testing/world.ts";

const hour = 60 * 60 * 1_000;

for (const engine of testEngines()) {
  const database = await engine.open();
  const world = await createSecurityWorld(database);
  const visitors = await createVisitors(world);
  const acme = await visitors.requireMember("acme", { organizationName: "Acme" });
  const rival = await visitors.requireMember("rival", { organizationName: "Rival" });
  let email = "";

  beforeEach(() => {
    email = visitors.freshEmail();
    world.clock.advance(25 * hour);
  });
  afterAll(async () => {
    await world.stop();
    await database.close();
  });

  const { requireInvited, statusOf, historyOf, count } = createInviter(acme);
  const ofRival = createInviter(rival);
  const requireInvitation = async () => (await requireInvited([email]))[0]!;

  test(`${engine.name}: an invitation is pending until its email is handed over, then sent`, async () => {
    let invited: Invitation | undefined;
    const message = await visitors.getEmailAfter(email, subjects.invitation, async () => {
      const result = await acme.client.invite({ body: { emails: [email], roles: ["VIEWER", "EDITOR", "VIEWER"] } });
      if (result.ok) invited = result.value.items[0];
      return result;
    });
    expect(invited).toMatchObject({ email, roles: ["VIEWER", "EDITOR"], status: "PENDING", invitedBy: "Full acme" });
    expect(message.text).toContain("“Full acme” invites you to join the organization “Acme”");
    expect(message.text).toContain("https://portal.example.com/register?token=");
    await expect.poll(() => statusOf(invited?.id ?? "")).toBe("SENT");
  });

  test(`${engine.name}: addresses are invited once each, case-insensitively, in the given order`, async () => {
    const items = await requireInvited([`Zoe.${email}`, email, `zoe.${email}`, email.toUpperCase()]);
    expect(items.map((item) => item.email)).toEqual([`Zoe.${email}`, email]);
  });

  test(`${engine.name}: each address is checked separately: valid ones are invited, and the others get a reason`, async () => {
    const token = await visitors.requireInvitationToken(acme, visitors.freshEmail());
    const member = await visitors.requireMemberByInvitation(`member-${email.slice(9, 21)}`, token);
    const emails = ["nobody", email, "ACME@example.com", member.email.toUpperCase(), ` b.${email} `, email];
    expect(await acme.client.invite({ body: { emails, roles: ["VIEWER"] } })).toMatchObject({
      status: 201,
      value: {
        items: [
          { email, replaces: null },
          { email: `b.${email}`, replaces: null },
        ],
        refused: [
          { index: 0, email: "nobody", message: expect.stringContaining("e.g. name@example.com") },
          { index: 2, email: "ACME@example.com", message: "This is your own address." },
          { index: 3, message: "This person is in your organization already." },
        ],
      },
    });
  });

  test(`${engine.name}: when no address can be invited, each is refused with its index and a reason`, async () => {
    const before = await count();
    const result = await acme.client.invite({ body: { emails: ["", "ACME@example.com"], roles: ["VIEWER"] } });
    expect(result).toMatchObject({ problem: { errors: [{ path: "emails[0]" }, { path: "emails[1]" }] } });
    expect(await count()).toBe(before);
  });

  test(`${engine.name}: two hundred addresses are invited in one request`, async () => {
    const emails = Array.from({ length: 200 }, (_, number) => `n${number}.${email}`);
    expect(await requireInvited(emails)).toHaveLength(200);
    expect(await acme.client.invite({ body: { emails: [...emails, email], roles: ["VIEWER"] } })).toMatchObject({
      status: 422,
    });
  });

  test(`${engine.name}: T06: only the organization's roles can be given, and at least one`, async () => {
    for (const roles of [["SYSTEM_ADMIN"], ["VIEWER", "OWNER"], []])
      expect(await acme.client.invite({ body: { emails: [email], roles: roles as ["VIEWER"] } })).toMatchObject({
        status: 422,
      });
    expect(await acme.client.invite({ body: { emails: [], roles: ["VIEWER"] } })).toMatchObject({ status: 422 });
    expect(await acme.client.invite({ body: { emails: ["nobody"], roles: ["VIEWER"] } })).toMatchObject({
      problem: { errors: [{ path: "emails[0]" }] },
    });
  });

  test(`${engine.name}: only user managers invite, list and cancel`, async () => {
    const { id } = await requireInvitation();
    const token = await visitors.requireInvitationToken(acme, visitors.freshEmail(), ["EDITOR"]);
    const editor = await visitors.requireMemberByInvitation(`editor-${engine.name}`, token);
    for (const [client, status] of [
      [editor.client, 403],
      [world.connect(), 401],
    ] as const) {
      const params = { invitationId: id };
      expect(await client.invite({ body: { emails: [email], roles: ["VIEWER"] } })).toMatchObject({ status });
      expect(await client.countInvitations({ query: {} })).toMatchObject({ status });
      expect(await client.listInvitations({ query: {} })).toMatchObject({ status });
      expect(await client.getInvitation({ params })).toMatchObject({ status });
      expect(await client.cancelInvitation({ params })).toMatchObject({ status });
      expect(await client.resendInvitation({ params })).toMatchObject({ status });
    }
  });

  test(`${engine.name}: A03: a former administrator can't invite, even with a token that still has the scope`, async () => {
    const token = await visitors.requireInvitationToken(acme, email, ["ADMIN"]);
    const former = await visitors.requireMemberByInvitation(`former-${engine.name}`, token);
    const invite = () => former.client.invite({ body: { emails: [visitors.freshEmail()], roles: ["ADMIN"] } });
    expect(await invite()).toMatchObject({ status: 201 });
    await world.db
      .updateTable("memberships")
      .set({ roles: ["VIEWER"] })
      .where("user_id", "=", former.caller.userId)
      .execute();
    expect(await invite()).toMatchObject({ status: 403 });
    const params = { invitationId: (await requireInvited([visitors.freshEmail()]))[0]!.id };
    expect(await former.client.cancelInvitation({ params })).toMatchObject({ status: 403 });
    expect(await former.client.resendInvitation({ params })).toMatchObject({ status: 403 });
    await world.db.deleteFrom("users").where("id", "=", former.caller.userId).execute();
    await world.service.accessState.refresh();
    expect(await invite()).toMatchObject({ status: 401 });
  });

  test(`${engine.name}: T01: another organization's invitation gets the response of a missing one`, async () => {
    const { id } = await requireInvitation();
    const results = [];
    for (const invitationId of [id, uuidv7()]) {
      for (const result of [
        await rival.client.getInvitation({ params: { invitationId } }),
        await rival.client.cancelInvitation({ params: { invitationId } }),
        await rival.client.resendInvitation({ params: { invitationId } }),
      ]) {
        if (result.ok) throw new Error("another organization's invitation was answered");
        const { requestId: _, ...problem } = result.problem;
        results.push(JSON.stringify(problem));
      }
    }
    expect(new Set(results).size).toBe(1);
    expect(results[0]).toContain("not_found");
    expect(await statusOf(id)).not.toBe("CANCELLED");
    const list = await rival.client.listInvitations({ query: { query: email } });
    expect(list).toMatchObject({ value: { items: [] } });
    expect(await ofRival.count()).toBe(0);
  });

  test(`${engine.name}: T02: an organization named in body, query or header has no effect`, async () => {
    const organizationId = rival.caller.organizationId;
    await acme.client.invite({
      body: { emails: [email], roles: ["VIEWER"], organizationId } as { emails: string[]; roles: ["VIEWER"] },
      headers: { "x-tenant": organizationId, "x-organization-id": organizationId },
    });
    const rows = await world.db.selectFrom("invitations").selectAll().where("email", "=", email).execute();
    expect(rows.map((row) => row.organization_id)).toEqual([acme.caller.organizationId]);
    expect(await ofRival.count()).toBe(0);
  });

  test(`${engine.name}: inviting again replaces the open invitation and invalidates its link`, async () => {
    const oldToken = await visitors.requireInvitationToken(acme, email);
    const [old] = await acme.client
      .listInvitations({ query: { query: email } })
      .then((result) => (result.ok ? result.value.items : []));
    const newToken = await visitors.requireInvitationToken(acme, email.toUpperCase());
    expect(await statusOf(old?.id ?? "")).toBe("CANCELLED");
    expect(await historyOf(old?.id ?? "")).toMatchObject([{ kind: "replaced", by: "Full acme" }, {}, {}]);
    expect(await visitors.client.getInvitationOffer({ params: { token: oldToken } })).toMatchObject({ status: 404 });
    expect(await visitors.client.getInvitationOffer({ params: { token: newToken } })).toMatchObject({ status: 200 });
  });

  test(`${engine.name}: T01: two organizations that invite one address do not affect each other's invitation`, async () => {
    const { id } = await requireInvitation();
    await ofRival.requireInvited([email]);
    expect(["PENDING", "SENT"]).toContain(await statusOf(id));
    expect(await ofRival.count("PENDING,SENT")).toBe(1);
  });

  test(`${engine.name}: one address invited five times at once has one open invitation`, async () => {
    const results = await Promise.all(
      Array.from({ length: 5 }, () => acme.client.invite({ body: { emails: [email], roles: ["VIEWER"] } })),
    );
    expect(results.map((result) => result.status)).toEqual(Array(5).fill(201));
    const open = await acme.client.listInvitations({ query: { query: email, status: "PENDING,SENT" } });
    expect(open.ok && open.value.items).toHaveLength(1);
    const replaced = results.map((result) => result.ok && result.value.items[0]?.replaces);
    expect(replaced.filter(Boolean)).toHaveLength(4);
  });

  test(`${engine.name}: an address gets at most five emails a day from an organization, which sends at most 500`, async () => {
    for (let times = 0; times < 5; times += 1) await requireInvited([email]);
    expect(await acme.client.invite({ body: { emails: ["x@example.com", email], roles: ["VIEWER"] } })).toMatchObject({
      value: { items: [{ email: "x@example.com" }], refused: [{ index: 1 }] },
    });
    const many = (from: number, count: number) =>
      Array.from({ length: count }, (_, number) => `n${from + number}.${email}`);
    const [first] = await requireInvited(many(0, 200));
    await requireInvited(many(200, 200));
    await requireInvited(many(400, 93));
    expect(await acme.client.invite({ body: { emails: many(500, 2), roles: ["VIEWER"] } })).toMatchObject({
      status: 429,
      problem: { detail: expect.stringContaining("1 are left today") },
    });
    expect(await acme.client.resendInvitation({ params: { invitationId: first!.id } })).toMatchObject({ status: 200 });
    expect(await acme.client.invite({ body: { emails: ["y@example.com"], roles: ["VIEWER"] } })).toMatchObject({
      status: 429,
      problem: { detail: expect.stringContaining("none is left today") },
    });
    expect(await rival.client.invite({ body: { emails: ["x@example.com"], roles: ["VIEWER"] } })).toMatchObject({
      status: 201,
    });
    world.clock.advance(24 * hour);
    await requireInvited([email]);
  });

  test(`${engine.name}: T06: names in an invitation email contain no links`, async () => {
    const evil = await visitors.requireMember("evil", { organizationName: "Reset at https://evil.com/now" });
    await world.db
      .updateTable("users")
      .set({ full_name: "Support help@evil.com" })
      .where("id", "=", evil.caller.userId)
      .execute();
    const message = await visitors.getEmailAfter(email, subjects.invitation, () =>
      evil.client.invite({ body: { emails: [email], roles: ["VIEWER"] } }),
    );
    expect(message.subject).toBe("You are invited to API Assurance");
    for (const part of [message.text, message.html]) expect(part).not.toMatch(/evil\.com|https:\/\/evil/);
  });

  test(`${engine.name}: a service invites in the organization's own name`, async () => {
    const client = world.connect({ token: await world.serviceToken(acme.caller.organizationId) });
    const result = await client.invite({ body: { emails: [email], roles: ["VIEWER"] } });
    expect(result).toMatchObject({ value: { items: [{ invitedBy: "Acme" }] } });
    const stranger = world.connect({ token: await world.serviceToken(uuidv7()) });
    expect(await stranger.invite({ body: { emails: [email], roles: ["VIEWER"] } })).toMatchObject({ status: 404 });
  });
}
