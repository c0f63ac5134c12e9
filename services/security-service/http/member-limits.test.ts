import { afterAll, beforeEach, expect, test } from "vitest";
import { storePlan } from "../../kit/plan/plan-table.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { noLimits, planWith } from "../../kit/testing/plans.ts";
import { schemaName } from "../store/tables.ts";
import { codeIn, createVisitors, goodPassword, subjects } from "../testing/visitors.ts";
import { createSecurityWorld } from "../testing/world.ts";

const week = 7 * 24 * 60 * 60 * 1_000;

for (const engine of testEngines()) {
  const database = await engine.open();
  const world = await createSecurityWorld(database);
  const visitors = await createVisitors(world);
  let version = 1;
  beforeEach(() => world.clock.advance(week));
  afterAll(async () => {
    await world.stop();
    await database.close();
  });

  async function open(name: string) {
    const owner = await visitors.requireMember(name, { organizationName: name });
    const { organizationId } = owner.caller;
    /** null: unlimited. */
    async function allow(members: number | null): Promise<void> {
      version += 1;
      const status = members === null ? noLimits : planWith({ members });
      await storePlan(database.kysely, schemaName, organizationId, { ...status, version });
    }
    async function members(): Promise<number> {
      const rows = await world.db
        .selectFrom("memberships")
        .select("user_id")
        .where("organization_id", "=", organizationId)
        .execute();
      return rows.length;
    }
    /** An invited user, with the mailed code. */
    async function invited(): Promise<{ token: string; code: string }> {
      const email = visitors.freshEmail();
      const token = await visitors.requireInvitationToken(owner, email);
      const message = await visitors.getEmailAfter(email, subjects.code, () => visitors.askForInvitationCode(token));
      return { token, code: codeIn(message) };
    }
    const accept = (username: string, link: { token: string; code: string }) =>
      visitors.client.createAccountByInvitation({
        body: { ...link, username, fullName: "Grace Hopper", password: goodPassword },
      });
    return { owner, allow, members, invited, accept };
  }

  test(`${engine.name}: T05: of fifty acceptances at once with one seat left one becomes a member`, async () => {
    const { allow, members, invited, accept } = await open(`fifty-${engine.name}`);
    await allow(null);
    const links = [];
    for (let number = 0; number < 50; number += 1) links.push(await invited());
    // The plan was larger when they were invited.
    await allow(2);
    const results = await Promise.all(links.map((link, at) => accept(`${engine.name}-fifty-${at}`, link)));
    expect(results.filter(({ ok }) => ok)).toHaveLength(1);
    const refused = results.filter(({ ok }) => !ok);
    for (const result of refused)
      expect(result).toMatchObject({ status: 402, problem: { code: "plan_limit_reached", limit: 2, used: 2 } });
    expect(await members()).toBe(2);

    await allow(3);
    const again = results.findIndex(({ ok }) => !ok);
    expect((await accept(`${engine.name}-again`, links[again]!)).ok).toBe(true);
  });

  test(`${engine.name}: of fifty invited at once with one seat left one is invited`, async () => {
    const { owner, allow } = await open(`inviting-${engine.name}`);
    await allow(2);
    const results = await Promise.all(
      Array.from({ length: 50 }, () =>
        owner.client.invite({ body: { emails: [visitors.freshEmail()], roles: ["VIEWER"] } }),
      ),
    );
    expect(results.filter(({ ok }) => ok)).toHaveLength(1);
    expect(results.find(({ ok }) => !ok)).toMatchObject({ status: 402, problem: { limit: 2, used: 2 } });
  });

  test(`${engine.name}: an expired invitation takes no seat until it is sent again`, async () => {
    const { owner, allow } = await open(`expired-${engine.name}`);
    await allow(2);
    const invite = async () =>
      await owner.client.invite({ body: { emails: [visitors.freshEmail()], roles: ["VIEWER"] } });
    const first = await invite();
    if (!first.ok) throw new Error(first.problem.detail);
    world.clock.advance(week + 1);
    const resend = () => owner.client.resendInvitation({ params: { invitationId: first.value.items[0]!.id } });
    const second = await invite();
    if (!second.ok) throw new Error(second.problem.detail);
    const full = { status: 402, problem: { code: "plan_limit_reached", limit: 2, used: 2 } };
    expect(await resend()).toMatchObject(full);
    await owner.client.cancelInvitation({ params: { invitationId: second.value.items[0]!.id } });
    expect(await resend()).toMatchObject({ status: 200 });
    expect(await invite()).toMatchObject(full);
  });
}
