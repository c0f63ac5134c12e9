import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { requireValue } from "../../kit/client/client.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { type AlertTenant, type AlertWorld, createAlertWorld } from "../testing/alert-world.ts";

const subject = /Send alerts to this address/;
const anHour = 3_600_000;

for (const engine of testEngines()) {
  let world: AlertWorld;
  let tenant: AlertTenant;
  let address: string;
  let count = 0;
  beforeAll(async () => {
    world = await createAlertWorld(engine);
  });
  afterAll(() => world.close());
  beforeEach(async () => {
    tenant = await world.createTenant("Example & Sons");
    count += 1;
    address = `ops${count}@example.com`;
  });

  const mailChannel = (addresses: string[], changes: object = {}) =>
    tenant.createChannel({ kind: "mail", name: "On call", enabled: true, memberIds: [], addresses, ...changes });
  async function tokenMailedTo(recipient: string): Promise<string> {
    const { text } = await world.mailServer.newest(recipient, subject);
    return /https:\/\/portal\.example\.com\/confirm-alert-address\?token=([\w-]+)/.exec(text ?? "")![1]!;
  }
  const listEmailsTo = (recipient: string) =>
    world.mailServer.received.filter((mail) => mail.recipients.includes(recipient));
  const confirmedAt = async (channelId: string) => {
    const channel = requireValue(await tenant.client.getChannel({ params: { channelId } }), "get");
    return channel.kind === "mail" ? channel.addresses[0]?.confirmedAt : undefined;
  };

  test(`${engine.name}: an address gets alerts once its owner has confirmed it`, async () => {
    const written = address.replace("o", "O");
    const { id } = await mailChannel([written, address]);
    const params = { channelId: id };
    const early = requireValue(await tenant.client.testChannel({ params }), "test");
    expect(early).toMatchObject({ state: "failed", detail: expect.stringContaining("no recipients") });

    const token = await tokenMailedTo(written);
    const visitor = world.connect();
    const requested = requireValue(await visitor.readAddressLink({ body: { token } }), "read");
    expect(requested).toEqual({ address: written, organizationName: "Example & Sons", confirmedAt: null });
    expect(await confirmedAt(id)).toBeNull();

    const first = requireValue(await visitor.confirmAddress({ body: { token } }), "confirm");
    const again = requireValue(await visitor.confirmAddress({ body: { token } }), "confirm");
    expect(again).toEqual(first);
    expect(await confirmedAt(id)).toBe(first.confirmedAt);
    expect(requireValue(await tenant.client.testChannel({ params }), "test")).toMatchObject({ state: "delivered" });
    const email = await world.mailServer.newest(written, /Test of the channel On call/);
    expect(email.text).toContain("You receive this email through the alert channel “On call”.");
    const { rows } = await sql<{ actor_kind: string; count: number }>`
      select actor_kind, count(*)::int as count from test_analyzer.audit_records
      where operation = 'confirmAddress' and organization_id = ${tenant.organizationId} group by 1`.execute(
      world.database.kysely,
    );
    expect(rows).toEqual([{ actor_kind: "visitor", count: 1 }]);
  });

  test(`${engine.name}: a link expires after a week, with its address, and with the next link`, async () => {
    const { id } = await mailChannel([address]);
    const first = await tokenMailedTo(address);
    const visitor = world.connect();
    const isDeleted = async (token: string) => (await visitor.confirmAddress({ body: { token } })).status === 404;

    expect((await tenant.client.sendAddressLink({ body: { address } })).status).toBe(429);
    world.clock.advance(anHour);
    const sent = requireValue(await tenant.client.sendAddressLink({ body: { address } }), "link");
    await expect.poll(() => listEmailsTo(address).length).toBe(2);
    const second = await tokenMailedTo(address);
    expect(await isDeleted(first)).toBe(true);

    world.clock.moveTo(new Date(Date.parse(sent.expiresAt) + 1));
    expect(await isDeleted(second)).toBe(true);
    await tenant.client.sendAddressLink({ body: { address } });
    await expect.poll(() => listEmailsTo(address).length).toBe(3);
    const third = await tokenMailedTo(address);
    const body = { kind: "mail" as const, name: "On call", addresses: [`other.${address}`] };
    await tenant.client.changeChannel({ params: { channelId: id }, body });
    expect(await isDeleted(third)).toBe(true);
    expect((await tenant.client.sendAddressLink({ body: { address } })).status).toBe(404);
    world.clock.moveTo(new Date());
  });

  test(`${engine.name}: a confirmation counts for one organization only, and ends with the last channel of the address`, async () => {
    const { id } = await mailChannel([address]);
    await world.connect().confirmAddress({ body: { token: await tokenMailedTo(address) } });
    const second = await mailChannel([address], { name: "Second" });
    expect(await confirmedAt(second.id)).not.toBeNull();
    const before = tenant;
    tenant = await world.createTenant();
    const foreign = await mailChannel([address]);
    expect(await confirmedAt(foreign.id)).toBeNull();
    tenant = before;
    for (const channelId of [id, second.id]) await tenant.client.deleteChannel({ params: { channelId } });
    expect(await confirmedAt((await mailChannel([address])).id)).toBeNull();
  });

  test(`${engine.name}: an organization can't flood strangers with mail`, async () => {
    const addresses = (from: number) => Array.from({ length: 20 }, (_, number) => `n${from + number}.${address}`);
    await mailChannel(addresses(0), { name: "One" });
    await mailChannel(addresses(20), { name: "Two" });
    const body = { kind: "mail" as const, name: "Three", addresses: [address] };
    const result = await tenant.client.createChannel({ body });
    expect(result).toMatchObject({ status: 429 });
    expect(requireValue(await tenant.client.listChannels({ query: {} }), "list").items).toHaveLength(2);
  });

  test(`${engine.name}: members are chosen by name, get mail at their current address, and none once disabled`, async () => {
    const [ada, bo] = [
      await tenant.addMember({ username: `ada${count}`, fullName: "Ada Lovelace" }),
      await tenant.addMember({ username: `bo${count}` }),
    ];
    const listed = requireValue(await tenant.client.listRecipients({ query: { query: "lovelace" } }), "list");
    expect(listed.items).toEqual([{ id: ada, username: `ada${count}`, fullName: "Ada Lovelace", unreachable: null }]);
    const { id } = await mailChannel([], { memberIds: [ada, bo] });
    const params = { channelId: id };
    await tenant.client.testChannel({ params });
    await Promise.all(["ada", "bo"].map((name) => world.mailServer.newest(`${name}${count}@example.com`, /^Test of/)));
    await sql`update security_service.users set disabled_at = now() where id = ${bo}`.execute(world.database.kysely);
    const sent = requireValue(await tenant.client.testChannel({ params }), "test");
    expect(sent).toMatchObject({ state: "delivered", detail: "An email was sent." });
    const members = async (query: object) =>
      requireValue(await tenant.client.listRecipients({ query }), "list").items.map(({ id }) => id);
    expect(await members({ query: `bo${count}` })).toEqual([]);
    expect(await members({ ids: bo })).toEqual([bo]);
  });

  test(`${engine.name}: without a mail transport nothing is stored, and the problem names the operator's part`, async () => {
    const silent = await createAlertWorld(engine, { delivery: undefined });
    const { client } = await silent.createTenant();
    const result = await client.createChannel({ body: { kind: "mail", name: "On call", addresses: [address] } });
    expect(result).toMatchObject({ status: 503, problem: { detail: expect.stringContaining("MAIL_URL") } });
    expect(requireValue(await client.listChannels({ query: {} }), "list").items).toEqual([]);
    await silent.close();
  });
}
