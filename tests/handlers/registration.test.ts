import { afterAll, beforeAll, expect, test } from "vitest";
import { completeAccount, mailedLink, newcomer, newPassword } from "../support/handled-newcomer.ts";
import { type HandledPortal, openHandledPortal } from "../support/handled-portal.ts";

let portal: HandledPortal;
beforeAll(async () => {
  portal = await openHandledPortal();
});
afterAll(() => portal.stop());

/** Requests the link of a registration as an individual; returns it. */
async function askForLink({ email }: { email: string }): Promise<string> {
  const form = await portal.visit().open("/create-account-individual");
  const sent = await form.submit("Email me a link", { email });
  expect(sent.address).toBe("/create-account-individual-success");
  return await mailedLink(portal, email, /registration/i);
}

for (const kind of ["Individual", "Organization"] as const) {
  test(`registering from a plan's card needs no script: ${kind}`, async () => {
    const person = newcomer();
    const visitor = portal.visit();
    const selection = await (await visitor.open("/")).follow("Register with Team");
    expect(selection.address).toBe("/registration-type-selection?serviceId=team");
    const form = await selection.follow(kind);
    const values = { email: person.email, ...(kind === "Organization" ? { organizationName: "Bookshop" } : {}) };
    const sent = await form.submit("Email me a link", values);
    expect(sent.address).toBe(`/create-account-${kind.toLowerCase()}-success`);
    expect(sent.heading).toBe("Check your email");

    const completing = await visitor.open(await mailedLink(portal, person.email, /registration/i));
    expect(completing.heading).toBe("Complete your account");
    expect(completing.text).toContain(kind === "Organization" ? "Bookshop" : "Individual");
    expect(completing.text).toContain("Team");
    const login = await completeAccount(completing, portal, person);
    const billing = "/billing?serviceId=team";
    expect(login.address).toBe(`/login?registered=${person.username}&redirectTo=${encodeURIComponent(billing)}`);
    expect(login.text).toContain("Your account is ready");
    expect(login.value("username")).toBe(person.username);
    const landed = await login.submit("log in", { password: newPassword });
    expect(landed.address).toBe(billing);
    expect(landed.text).toContain("Selected");
    expect(landed.text).toContain("Ada Lovelace");
  });
}

test("where cookies are accepted, creating the account signs in; where not, the login page keeps the username", async () => {
  const [person, other] = [newcomer(), newcomer()];
  const visitor = portal.visit();
  await (await visitor.open("/about")).submit("Accept essential cookies");
  const landed = await completeAccount(await visitor.open(await askForLink(person)), portal, person);
  expect([landed.status, landed.address]).toEqual([200, "/dashboard"]);
  expect(landed.text).toContain(`You are logged in as ${person.username}`);
  expect((await visitor.open("/profile")).heading).toBe("Ada Lovelace");
  const login = await completeAccount(await portal.visit().open(await askForLink(other)), portal, other);
  expect([login.address, login.value("username")]).toEqual([`/login?registered=${other.username}`, other.username]);
});

test("an account created beside another person's session does not replace that session", async () => {
  const person = newcomer();
  const visitor = await portal.signIn();
  const form = await portal.visit().open(await askForLink(person));
  const code = await form.submit("Send the code");
  const message = await portal.mail.newest(person.email, /verification code/i);
  const fields = {
    intent: "createAccount",
    token: code.url.searchParams.get("token") ?? "",
    fullName: "Ada",
    username: person.username,
  };
  const sent = { ...fields, code: /\b\d{6}\b/.exec(message.text ?? "")![0], password: newPassword };
  await visitor.post("/complete-individual-account-registration", sent);
  expect((await visitor.open("/profile")).heading).toBe("Administrator");
});

test("errors of an account are reported at the field; the input is kept, except the password", async () => {
  const form = await portal.visit().open(await askForLink(newcomer()));
  const requesting = await form.submit("Send the code");
  const refused = await requesting.submit("Create account", {
    ...{ fullName: "Ada Lovelace", username: "ada", code: "12 34", password: "too short" },
  });
  expect(refused.status).toBe(422);
  expect(refused.errors("code")).toContain("The code has six digits");
  expect(refused.value("fullName")).toBe("Ada Lovelace");
  expect(refused.value("password") ?? "").toBe("");
});

test("another code keeps the input, and further ones are refused for half a minute", async () => {
  const form = await portal.visit().open(await askForLink(newcomer()));
  const requesting = await form.submit("Send the code");
  const refused = await requesting.submit("Send another code", { fullName: "Ada" });
  expect(refused.text).toMatch(/Wait \d+ seconds for another one/);
  expect(refused.value("fullName")).toBe("Ada");
});

test("T06: opening the link repeatedly creates nothing, and an expired link says what to do next", async () => {
  const link = await askForLink(newcomer());
  const visitor = portal.visit();
  for (let visit = 0; visit < 3; visit++) expect((await visitor.open(link)).status).toBe(200);
  const dead = await visitor.open(`${link}x`);
  expect([dead.status, dead.heading]).toEqual([404, "This link no longer works"]);
  expect((await dead.follow("register again")).address).toBe("/registration-type-selection");
});

test("a signed-in user is redirected from visitors' pages, and logs out before using a link", async () => {
  const visitor = await portal.signIn();
  expect((await visitor.open("/registration-type-selection")).address).toBe("/dashboard");
  const requested = await visitor.open(await askForLink(newcomer()));
  expect(requested.text).toContain("You are signed in as");
  const completing = await requested.submit("Log out and continue");
  expect(completing.address).toMatch(/\/complete-individual-account-registration\?token=/);
  expect(completing.text).toContain("Send the code");
});
