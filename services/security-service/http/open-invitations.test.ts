import { afterAll, beforeEach, expect, test } from "vitest";
import { RefusedForGood } from "../../kit/mail/smtp.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { createInviter } from "../testing/inviting-member.ts";
import { createVisitors, subjects, tokenIn } from "../testing/visitors.ts";
import { createSecurityWorld } from "../testing/world.ts";

const hour = 60 * 60 * 1_000;
const week = 7 * 24 * hour;

for (const engine of testEngines()) {
  const database = await engine.open();
  const world = await createSecurityWorld(database);
  const visitors = await createVisitors(world);
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

  const { requireInvited, statusOf, historyOf, count } = createInviter(acme);
  const requireInvitation = async () => (await requireInvited([email]))[0]!;

  test(`${engine.name}: an open invitation is cancelled once, and cancelling a final one is a conflict`, async () => {
    const token = await visitors.requireInvitationToken(acme, email);
    const list = await acme.client.listInvitations({ query: { query: email } });
    const invitationId = list.ok ? (list.value.items[0]?.id ?? "") : "";
    expect(await acme.client.cancelInvitation({ params: { invitationId } })).toMatchObject({ status: 204 });
    expect(await statusOf(invitationId)).toBe("CANCELLED");
    expect(await acme.client.cancelInvitation({ params: { invitationId } })).toMatchObject({
      status: 409,
      problem: { detail: expect.stringMatching(/cancelled already/) },
    });
    expect(await visitors.client.getInvitationOffer({ params: { token } })).toMatchObject({ status: 404 });
    const other = await requireInvitation();
    world.clock.advance(week);
    expect(await acme.client.cancelInvitation({ params: { invitationId: other.id } })).toMatchObject({
      status: 409,
      problem: { detail: expect.stringMatching(/expired already/) },
    });
  });

  test(`${engine.name}: an invitation, even an expired one, is sent again with a new link and lists its history`, async () => {
    const oldToken = await visitors.requireInvitationToken(acme, email);
    const list = await acme.client.listInvitations({ query: { query: email } });
    const params = { invitationId: list.ok ? (list.value.items[0]?.id ?? "") : "" };
    world.clock.advance(week);
    expect(await statusOf(params.invitationId)).toBe("EXPIRED");
    const resend = () => acme.client.resendInvitation({ params });
    const token = tokenIn(await visitors.getEmailAfter(email, subjects.invitation, resend));
    await expect.poll(() => statusOf(params.invitationId)).toBe("SENT");
    expect(await visitors.client.getInvitationOffer({ params: { token: oldToken } })).toMatchObject({ status: 404 });
    expect(await visitors.client.getInvitationOffer({ params: { token } })).toMatchObject({ status: 200 });
    await visitors.requireMemberByInvitation(`again-${email.slice(9, 21)}`, token);
    const history = (await historyOf(params.invitationId)) ?? [];
    expect(history.map(({ kind }) => kind)).toEqual(["accepted", "sent", "resent", "sent", "invited"]);
    expect(history[2]).toMatchObject({ by: "Full acme", at: expect.stringMatching(/Z$/) });
    expect(await resend()).toMatchObject({ status: 409, problem: { detail: expect.stringContaining("accepted") } });
  });

  test(`${engine.name}: an expired invitation is not sent again when the address has a newer one`, async () => {
    const { id } = await requireInvitation();
    world.clock.advance(week);
    await world.db.updateTable("invitations").set({ status: "EXPIRED" }).where("id", "=", id).execute();
    await requireInvitation();
    expect(await acme.client.resendInvitation({ params: { invitationId: id } })).toMatchObject({
      status: 409,
      problem: { detail: expect.stringContaining("newer invitation") },
    });
    expect(await statusOf(id)).toBe("EXPIRED");
  });

  test(`${engine.name}: a mail server's error is visible on the invitation until the email is sent`, async () => {
    await visitors.emailsAreSent();
    const { deliver } = world.mail;
    world.mail.deliver = async () => {
      throw new RefusedForGood("550 No such user");
    };
    const { id } = await requireInvitation();
    const getFailure = async () => {
      const result = await acme.client.getInvitation({ params: { invitationId: id } });
      return result.ok ? result.value.mailFailure : undefined;
    };
    await expect.poll(getFailure).toEqual({ message: "550 No such user", isFinal: true });
    expect(await statusOf(id)).toBe("PENDING");
    world.mail.deliver = deliver;
    await acme.client.resendInvitation({ params: { invitationId: id } });
    await expect.poll(() => statusOf(id)).toBe("SENT");
    expect(await getFailure()).toBeNull();
    expect((await historyOf(id))?.map(({ kind }) => kind)).toEqual(["sent", "resent", "mailGivenUp", "invited"]);
  });

  test(`${engine.name}: a cancelled invitation stays cancelled when its email is handed over late`, async () => {
    const { id } = await requireInvitation();
    await acme.client.cancelInvitation({ params: { invitationId: id } });
    await visitors.emailsAreSent();
    expect(await statusOf(id)).toBe("CANCELLED");
  });

  test(`${engine.name}: counting and listing use the current status`, async () => {
    const [first, second] = [await requireInvitation(), (await requireInvited([`b.${email}`]))[0]!];
    await acme.client.cancelInvitation({ params: { invitationId: second.id } });
    const ids = async (status: string) => {
      const result = await acme.client.listInvitations({ query: { status, query: email } });
      return result.ok ? result.value.items.map((item) => item.id) : result.status;
    };
    expect(await ids("PENDING,SENT")).toEqual([first.id]);
    expect(await ids("")).toEqual([second.id, first.id]);
    const [open, expired] = [(await count("PENDING,SENT")) ?? 0, (await count("EXPIRED")) ?? 0];
    world.clock.advance(week);
    expect(await ids("PENDING,SENT")).toEqual([]);
    expect(await ids("EXPIRED")).toEqual([first.id]);
    expect(await ids("CANCELLED,ACCEPTED")).toEqual([second.id]);
    expect(await statusOf(first.id)).toBe("EXPIRED");
    expect([await count("PENDING,SENT"), await count("EXPIRED")]).toEqual([0, open + expired]);
    // Inviting again stores the expiry of the old one.
    await requireInvitation();
    expect(await statusOf(first.id)).toBe("EXPIRED");
    expect(await acme.client.countInvitations({ query: { status: "OPEN" } })).toMatchObject({ status: 400 });
  });

  test(`${engine.name}: the list is paged, newest first, and matches parts of an address`, async () => {
    const items = await requireInvited(Array.from({ length: 5 }, (_, number) => `p${number}.${email}`));
    const newestFirst = items.map((item) => item.id).reverse();
    const first = await acme.client.listInvitations({ query: { query: email.toUpperCase(), limit: 3 } });
    if (!first.ok) throw new Error(first.problem.detail);
    const cursor = first.value.nextCursor ?? "";
    const rest = await acme.client.listInvitations({ query: { query: email, limit: 3, cursor } });
    if (!rest.ok) throw new Error(rest.problem.detail);
    expect([...first.value.items, ...rest.value.items].map((item) => item.id)).toEqual(newestFirst);
    expect(rest.value.nextCursor).toBeNull();
    expect(await acme.client.listInvitations({ query: { query: "%" } })).toMatchObject({ value: { items: [] } });
    expect(await acme.client.listInvitations({ query: { cursor: "nonsense" } })).toMatchObject({ status: 400 });
    const noId = Buffer.from('["x"]').toString("base64url");
    expect(await acme.client.listInvitations({ query: { cursor: noId } })).toMatchObject({ status: 400 });
  });
}
