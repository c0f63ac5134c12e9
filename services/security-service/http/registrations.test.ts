import { afterAll, beforeEach, expect, test } from "vitest";
import { portalServiceContract } from "#contracts/portal-service/contract.ts";
import { connectTo } from "../../kit/client/client.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { createVisitors, goodPassword, subjects, tokenIn } from "../testing/visitors.ts";
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
  const getCount = async (table: "users" | "organizations") =>
    (await world.db.selectFrom(table).select("id").execute()).length;

  test(`${engine.name}: an individual registers by email and code, and signs in as administrator`, async () => {
    const message = await visitors.getEmailAfter(email, subjects.registration, () =>
      visitors.register({ email, serviceId: "team" }),
    );
    expect(message.text).toContain("https://portal.example.com/complete-individual-account-registration?token=");
    const token = tokenIn(message);
    expect(await client.getRegistration({ body: { token } })).toMatchObject({
      status: 200,
      value: { kind: "individual", email, serviceId: "team", organizationName: null },
    });
    const registration = await visitors.requireRegistration(email);
    const created = await client.createAccount({ body: accountFor("ada", registration) });
    expect(created).toMatchObject({ status: 201, value: { username: "ada" } });
    const signedIn = await world.logIn("ada", goodPassword);
    if (!signedIn.ok) throw new Error(signedIn.problem.detail);
    expect(signedIn.value.roles).toEqual(["ADMIN"]);
    const { organizationId } = await world.service.authenticate(signedIn.value.accessToken);
    const organization = await world
      .connect({ token: await world.serviceToken(organizationId) })
      .getOrganization({ params: { organizationId } });
    expect(organization).toMatchObject({ value: { name: "Ada Lovelace", kind: "individual", serviceId: null } });
  });

  test(`${engine.name}: a refused registration is logged by call and code, without any submitted value`, async () => {
    const before = world.logged.length;
    await client.createAccount({ body: accountFor("canary-name", { token: "canary-token", code: "canary" }) });
    const logged = world.logged.slice(before).join("\n");
    expect(logged).toMatch(/"endpoint":"createAccount","code":"\w+"/);
    expect(logged).not.toMatch(/canary|Lovelace/);
  });

  test(`${engine.name}: null in optional fields means none`, async () => {
    const none = { serviceId: null, organizationName: null, recaptchaToken: null } as object;
    const message = await visitors.getEmailAfter(email, subjects.registration, () =>
      visitors.register({ email, ...none }),
    );
    expect(await client.getRegistration({ body: { token: tokenIn(message) } })).toMatchObject({
      value: { kind: "individual", serviceId: null, organizationName: null },
    });
  });

  test(`${engine.name}: an organization keeps its name and the requested plan`, async () => {
    const { caller } = await visitors.requireMember("grace", { organizationName: "Acme Inc.", serviceId: "business" });
    const { organizationId } = caller;
    const organization = await world
      .connect({ token: await world.serviceToken(organizationId) })
      .getOrganization({ params: { organizationId } });
    expect(organization).toMatchObject({ value: { name: "Acme Inc.", kind: "organization", serviceId: "business" } });
  });

  test(`${engine.name}: a registration email contains nothing that its sender typed`, async () => {
    const message = await visitors.getEmailAfter(email, subjects.registration, () =>
      visitors.register({ email, organizationName: "Win money at evil.com" }),
    );
    expect(message.text).toContain("/complete-organization-account-registration?token=");
    expect(`${message.subject}${message.text}${message.html}`).not.toContain("evil");
  });

  test(`${engine.name}: a plan that does not exist is refused at its field, before the human check`, async () => {
    expect(await visitors.register({ email, serviceId: "gold" })).toMatchObject({
      status: 422,
      problem: { errors: [{ path: "serviceId" }] },
    });
  });

  test(`${engine.name}: a plan can't be requested while portal-service is unavailable`, async () => {
    const alone = await createSecurityWorld(database, {
      portalService: connectTo(portalServiceContract, { transport: () => new Response(null, { status: 500 }) }),
    });
    const { register } = await createVisitors(alone);
    expect(await register({ email, serviceId: "team" })).toMatchObject({ status: 503 });
    expect(await register({ email })).toMatchObject({ status: 202 });
    await alone.stop();
  });

  test(`${engine.name}: an installation without mail says so, for addresses with and without account alike`, async () => {
    await visitors.requireMember("mary");
    const silent = await createSecurityWorld(database, { delivery: undefined });
    const { register } = await createVisitors(silent);
    for (const address of [email, "mary@example.com"])
      expect(await register({ email: address })).toMatchObject({
        status: 503,
        problem: { detail: expect.stringMatching(/MAIL_URL/) },
      });
    await silent.stop();
  });

  test(`${engine.name}: invalid addresses, invalid names and malformed JSON are refused`, async () => {
    expect(await visitors.register({ email: "nobody" })).toMatchObject({ problem: { errors: [{ path: "email" }] } });
    const text = await world.service.app.request("/registration/create-request", { method: "POST", body: "email=a" });
    expect(text.status).toBe(415);
  });

  test(`${engine.name}: T06: names of organizations and people with line breaks are refused`, async () => {
    const evil = "Acme\r\nBcc: victim@example.com";
    expect(await visitors.register({ email, organizationName: evil })).toMatchObject({
      status: 422,
      problem: { errors: [{ path: "organizationName" }] },
    });
    const registration = await visitors.requireRegistration(email);
    expect(await client.createAccount({ body: { ...accountFor("crlf", registration), fullName: evil } })).toMatchObject(
      { status: 422, problem: { errors: [{ path: "fullName" }] } },
    );
  });

  test(`${engine.name}: T06: of fifty requests with one link and the right code one creates an account`, async () => {
    const registration = await visitors.requireRegistration(email);
    const [users, organizations] = [await getCount("users"), await getCount("organizations")];
    const results = await Promise.all(
      Array.from({ length: 50 }, (_, number) =>
        client.createAccount({ body: accountFor(`parallel-${number}`, registration) }),
      ),
    );
    expect(results.filter((result) => result.ok)).toHaveLength(1);
    const refused = results.filter((result) => !result.ok).map((result) => result.status);
    expect(refused.every((status) => status === 404 || status === 409)).toBe(true);
    expect([await getCount("users"), await getCount("organizations")]).toEqual([users + 1, organizations + 1]);
  });

  test(`${engine.name}: T06: two links of one address create one account`, async () => {
    const first = await visitors.requireRegistration(email);
    const second = await visitors.requireRegistration(email.toUpperCase());
    const results = await Promise.all([
      client.createAccount({ body: accountFor("one-of-two", first) }),
      client.createAccount({ body: accountFor("two-of-two", second) }),
    ]);
    expect(results.map((result) => result.status).sort()).toEqual([201, 409]);
  });

  test(`${engine.name}: T06: used, expired and guessed links get the same response, and reading consumes nothing`, async () => {
    const used = await visitors.requireRegistration(email);
    for (let times = 0; times < 3; times += 1)
      expect(await client.getRegistration({ body: { token: used.token } })).toMatchObject({ ok: true });
    expect(await client.createAccount({ body: accountFor("used", used) })).toMatchObject({ status: 201 });
    const expired = await visitors.requireRegistration(visitors.freshEmail());
    world.clock.advance(24 * hour);
    const problems = [];
    for (const { token, code } of [used, expired, { token: "guessed", code: "123456" }]) {
      for (const result of [
        await client.getRegistration({ body: { token } }),
        await visitors.askForCode(token),
        await client.createAccount({ body: accountFor("late", { token, code }) }),
      ]) {
        if (result.ok) throw new Error("accepted");
        const { requestId: _, ...problem } = result.problem;
        problems.push(JSON.stringify(problem));
      }
    }
    expect(new Set(problems).size).toBe(1);
    expect(problems[0]).toContain("not_found");
  });

  test(`${engine.name}: one address gets at most five emails an hour and twenty a day, whatever the response`, async () => {
    const emails = () => world.mail.emails.filter((message) => message.to.address === email).length;
    for (let times = 0; times < 7; times += 1)
      expect(await visitors.register({ email })).toMatchObject({ status: 202, value: { email } });
    await visitors.emailsAreSent();
    expect(emails()).toBe(5);
    for (let hours = 1; hours < 7; hours += 1) {
      world.clock.advance(hour);
      for (let times = 0; times < 5; times += 1) await visitors.register({ email: email.toUpperCase() });
    }
    await visitors.emailsAreSent();
    expect(world.mail.emails.filter((message) => message.to.address === email.toUpperCase())).toHaveLength(15);
  });

  test(`${engine.name}: W02: links lead to the configured origin, whatever hosts the request names`, async () => {
    const before = world.mail.emails.length;
    await world.service.app.request("/registration/create-request", {
      method: "POST",
      headers: { "content-type": "application/json", host: "evil.test", "x-forwarded-host": "evil.test:443/path" },
      body: JSON.stringify({ email }),
    });
    await world.mail.newest(email);
    for (const message of world.mail.emails.slice(before))
      expect(message.text + message.html).not.toContain("evil.test");
  });

  test(`${engine.name}: by invitation only, registration is refused, also with earlier links, and invitations still work`, async () => {
    const begun = await visitors.requireRegistration(email);
    const administrator = await visitors.requireMember(`boss-${email.slice(9, 21)}`);
    const operator = world.connect({ token: (await world.requireLogin()).accessToken });
    const set = async (registrationByInvitation: boolean | null) =>
      expect(await operator.changeSettings({ body: { registrationByInvitation } })).toMatchObject({ ok: true });
    await set(true);
    const { token } = begun;
    const refused = await Promise.all([
      visitors.register({ email: visitors.freshEmail() }),
      visitors.askForCode(token),
      client.getRegistration({ body: { token } }),
      client.createAccount({ body: accountFor("late", begun) }),
    ]);
    for (const result of refused) {
      expect(result).toMatchObject({ status: 403, problem: { code: "forbidden" } });
      expect(!result.ok && result.problem.detail).toContain("Ask an administrator of your organization to invite you.");
    }
    const invitation = await visitors.requireInvitationToken(administrator, visitors.freshEmail());
    await visitors.requireMemberByInvitation(`invited-${email.slice(9, 21)}`, invitation);
    await set(null);
    expect(await client.createAccount({ body: accountFor("late", begun) })).toMatchObject({ status: 201 });
  });
}
