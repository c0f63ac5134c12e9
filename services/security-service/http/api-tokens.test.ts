import { afterAll, expect, test } from "vitest";
import type { CreatedApiToken } from "#contracts/security-service/api-tokens.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { addMember, addOrganization, signInAs } from "../testing/members.ts";
import { createVisitors } from "../testing/visitors.ts";
import { createSecurityWorld } from "../testing/world.ts";

const day = 24 * 60 * 60 * 1_000;

for (const engine of testEngines()) {
  const database = await engine.open();
  const world = await createSecurityWorld(database);
  const visitors = await createVisitors(world);
  const organizationId = await addOrganization(world);
  await addMember(world, organizationId, { username: "boss", roles: ["ADMIN"] });
  let people = 0;
  afterAll(async () => {
    await world.stop();
    await database.close();
  });

  async function joinMember(roles = ["EDITOR"]) {
    people += 1;
    const username = `person-${people}`;
    const userId = await addMember(world, organizationId, { username, roles });
    return { username, userId, email: `${username}@example.com`, ...(await signInAs(world, username)) };
  }
  type Person = Awaited<ReturnType<typeof joinMember>>;
  const create = ({ client }: Person, body: object = {}) =>
    client.createApiToken({ body: { name: "Nightly", scopes: ["apis:read"], ...body } });
  async function requireToken(person: Person, body: object = {}): Promise<CreatedApiToken> {
    const result = await create(person, body);
    if (!result.ok) throw new Error(JSON.stringify(result.problem));
    return result.value;
  }
  const exchange = (token: string) => visitors.client.exchangeApiToken({ body: { token } });
  async function identify(token: string) {
    const result = await exchange(token);
    if (!result.ok) throw new Error(result.problem.detail);
    return await world.service.authenticate(result.value.accessToken);
  }
  const getList = async ({ client }: Person) => {
    const result = await client.listApiTokens({ query: {} });
    return result.ok ? result.value.items : [];
  };

  test(`${engine.name}: a token is displayed once and stored as a hash, and its owner is notified`, async () => {
    const person = await joinMember();
    let made: CreatedApiToken | undefined;
    const email = await visitors.getEmailAfter(person.email, /^An API token was created$/, async () => {
      made = await requireToken(person);
      return { ok: true };
    });
    expect(email.text).toContain("“Nightly”");
    expect(email.text).not.toContain(made!.token);
    expect(await getList(person)).toEqual([
      expect.objectContaining({ name: "Nightly", ending: made!.token.slice(-4) }),
    ]);
    const stored = await world.db.selectFrom("api_tokens").selectAll().where("id", "=", made!.id).execute();
    expect(JSON.stringify([stored, await getList(person), world.logged])).not.toContain(made!.token);
  });

  test(`${engine.name}: a token acts as its owner within its scopes, and its last use is recorded`, async () => {
    const person = await joinMember();
    const { token, id } = await requireToken(person, { scopes: ["tests:run", "tests:read"] });
    expect((await getList(person))[0]).toMatchObject({ id, lastUsedAt: null });
    const caller = await identify(token);
    expect(caller).toMatchObject({
      ...{ kind: "token", apiToken: "Nightly", userId: person.userId, organizationId },
      ...{ scopes: ["tests:read", "tests:run"] },
    });
    expect((await getList(person))[0]?.lastUsedAt).toBe(world.clock.now().toISOString());
  });

  test(`${engine.name}: a token can't have more rights than its creator`, async () => {
    const refused = await create(await joinMember(["VIEWER"]), { scopes: ["apis:read", "apis:write"] });
    expect(refused).toMatchObject({ status: 422, problem: { errors: [{ path: "scopes" }] } });
  });

  test(`${engine.name}: a token reaches neither its owner's account nor sessions nor tokens`, async () => {
    const person = await joinMember();
    const { token } = await requireToken(person);
    const { client } = { client: world.connect({ token: (await identify(token)).token }) };
    const results = await Promise.all([
      client.getOwnAccount(),
      client.listSessions({ query: {} }),
      client.listApiTokens({ query: {} }),
      client.createApiToken({ body: { name: "Offspring", scopes: ["apis:read"] } }),
      client.changeOwnEmail({ body: { email: "thief@example.com", currentPassword: "any" } }),
    ]);
    expect(results.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
  });

  test(`${engine.name}: A03: a revoked token ends at once, along with access tokens it was exchanged for`, async () => {
    const person = await joinMember();
    const { token, id } = await requireToken(person);
    const { token: access } = await identify(token);
    expect(await person.client.revokeApiToken({ params: { apiTokenId: id } })).toMatchObject({ status: 204 });
    expect(await exchange(token)).toMatchObject({ status: 401 });
    await expect(world.service.authenticate(access)).rejects.toThrow("ended");
    expect(await getList(person)).toEqual([]);
    expect(await person.client.revokeApiToken({ params: { apiTokenId: id } })).toMatchObject({ status: 404 });
  });

  test(`${engine.name}: A03: a token ends when its owner's roles change or its owner is disabled`, async () => {
    const [demoted, disabled] = [await joinMember(), await joinMember()];
    const tokens = [(await requireToken(demoted)).token, (await requireToken(disabled)).token];
    const accesses = [(await identify(tokens[0]!)).token, (await identify(tokens[1]!)).token];
    const boss = (await signInAs(world, "boss")).client;
    await boss.addUserRoles({ params: { userId: demoted.userId }, body: ["VIEWER"] });
    await boss.changeUser({ params: { userId: disabled.userId }, body: { disabled: true } });
    for (const token of tokens) expect(await exchange(token)).toMatchObject({ status: 401 });
    for (const access of accesses) await expect(world.service.authenticate(access)).rejects.toThrow("ended");
  });

  test(`${engine.name}: a token created just after its owner gained roles has its own scopes only`, async () => {
    const person = await joinMember(["VIEWER"]);
    const boss = (await signInAs(world, "boss")).client;
    await boss.addUserRoles({ params: { userId: person.userId }, body: ["ADMIN"] });
    const { token } = await requireToken(person, { scopes: ["apis:read"] });
    expect((await identify(token)).scopes).toEqual(["apis:read"]);
  });

  test(`${engine.name}: a token expires, and stays listed as expired for a while`, async () => {
    const person = await joinMember();
    const { token } = await requireToken(person, { expiresInDays: 1 });
    world.clock.advance(day + 1);
    expect(await exchange(token)).toMatchObject({ status: 401 });
    const again = { ...person, ...(await signInAs(world, person.username)) };
    expect(await getList(again)).toHaveLength(1);
    expect(await create(again, { expiresInDays: 366 })).toMatchObject({ status: 422 });
  });

  test(`${engine.name}: T01: users can neither revoke nor list other users' tokens`, async () => {
    const [person, other] = [await joinMember(), await joinMember()];
    const { id, token } = await requireToken(person);
    expect(await other.client.revokeApiToken({ params: { apiTokenId: id } })).toMatchObject({ status: 404 });
    expect(await getList(other)).toEqual([]);
    expect(await exchange(token)).toMatchObject({ ok: true });
  });

  test(`${engine.name}: A01: strings that only look like tokens are refused`, async () => {
    const { token } = await requireToken(await joinMember());
    for (const forged of ["aap_", `${token}0`, token.slice(0, -1), token.toLowerCase(), `aap_${"0".repeat(46)}`]) {
      expect(await exchange(forged)).toMatchObject({ status: 401 });
    }
    expect(await world.connect({ token }).listRoles()).toMatchObject({ status: 401 });
  });
}
