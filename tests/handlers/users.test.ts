import { afterAll, beforeAll, expect, test } from "vitest";
import { requireValue } from "../../services/kit/client/client.ts";
import { joinAs, newcomer } from "../support/handled-newcomer.ts";
import { type HandledPortal, openHandledPortal, type Visitor } from "../support/handled-portal.ts";

const users = "/administration/user-management";
const nowhere = "01900000-0000-7000-8000-000000000000";

let portal: HandledPortal;
let visitor: Visitor;
beforeAll(async () => {
  portal = await openHandledPortal();
  visitor = await portal.signIn();
});
afterAll(() => portal.stop());

/** A user who joined, and the page about them. */
async function colleague(role: "EDITOR" | "VIEWER" = "VIEWER") {
  const person = newcomer();
  const own = await joinAs(portal, role, person);
  const list = await visitor.open(`${users}?query=${person.username}`);
  return { person, own, page: await list.follow("Ada Lovelace") };
}
async function operatorAddress(): Promise<string> {
  const found = await portal.backend.securityService.listUsers({ query: { role: "SYSTEM_ADMIN" } });
  return `${users}/users/${requireValue(found, "users").items[0]!.id}/edit`;
}
const roleRow = (page: { rows(words: string): string[] }, words: string) => page.rows(words)[0];

test("users are found by words, role and state, and the filter stays in the form", async () => {
  const { person, page } = await colleague("EDITOR");
  const found = await visitor.open(`${users}?query=${person.email}&role=EDITOR`);
  expect(found.rows(person.username)).toHaveLength(1);
  expect(found.value("query")).toBe(person.email);
  const none = await found.submit("Filter", { role: "ADMIN" });
  expect(none.text).toContain("No matching users");
  expect((await none.follow("Show all users")).address).toBe(users);
  await (await page.follow("Disable account")).submit("Disable account");
  expect((await visitor.open(`${users}?state=disabled`)).rows(person.username)[0]).toContain("Disabled");
  expect((await visitor.open(`${users}?state=enabled&query=${person.username}`)).text).toContain("No matching users");
});

test("a name is changed, and errors are reported at its field with the input", async () => {
  const { page } = await colleague();
  const refused = await page.submit("Save", { fullName: "", email: "no address" });
  expect(refused.status).toBe(422);
  expect(refused.errors("fullName")).toBe("Enter your name");
  expect(refused.value("email")).toBe("no address");
  const taken = await refused.submit("Save", { fullName: "Ada K.", email: "not-taken@example.com" });
  expect([taken.heading, taken.text.includes("Ada K. is saved.")]).toEqual(["Ada K.", true]);
  const other = (await colleague()).page;
  const conflict = await other.submit("Save", { email: "Not-Taken@example.com" });
  expect([conflict.status, conflict.errors("email")]).toEqual([409, "Another account has this email address."]);
});

test("roles are granted and revoked one by one, with a description of each, and take effect at once", async () => {
  const { page, own } = await colleague();
  expect(page.rows("Can view APIs, tests and results")[0]).toContain("Assigned");
  expect((await own.open("/api-management/register")).status).toBe(403);
  const given = await page.submit("Assign", {}, "Editor");
  expect(given.text).toContain("Now also an editor.");
  expect(roleRow(given, "Can register APIs")).toContain("Assigned");
  expect((await own.open("/api-management/register")).status).toBe(200);
  const requested = await given.follow("Remove the role Editor from");
  expect(requested.text).toContain("Remove this role from Ada Lovelace?");
  const taken = await requested.submit("Remove the role");
  expect(taken.text).toContain("No longer an editor.");
  expect((await own.open("/api-management/register")).status).toBe(403);
});

test("the last role remains, and the page says why", async () => {
  const { page } = await colleague();
  const requested = await page.follow("Remove the role Viewer from");
  expect((await requested.submit("Remove the role")).text).toContain("A user holds at least one role.");
});

test("an administrator is appointed after asking, sees the users, and can give the role up again", async () => {
  const { page, own } = await colleague();
  expect((await own.open(users)).status).toBe(403);
  const requested = await page.follow("Assign the role Administrator to");
  const made = await requested.submit("Make an administrator");
  expect(made.text).toContain("Now also an administrator.");
  const self = await (await own.open(`${users}?query=ada-`)).follow("Ada Lovelace");
  expect(self.status).toBe(200);
  const address = made.address;
  const mine = await own.open(`${address}?dialog=take&role=ADMIN`);
  expect(mine.text).toContain("Only another administrator can give it back to you.");
  const left = await mine.submit("Remove my role");
  expect(left.address).toBe("/administration/credentials");
  expect((await own.open(users)).status).toBe(403);
});

test("a disabled account is signed out and refused until it is enabled, and no user disables their own", async () => {
  const { page, own } = await colleague();
  const requested = await page.follow("Disable account");
  expect(requested.text).toContain("They are signed out immediately");
  const disabled = await requested.submit("Disable account");
  expect(disabled.text).toContain("This account is disabled");
  expect((await own.open("/dashboard")).address).toMatch(/^\/login/);
  expect((await disabled.submit("Enable account")).text).toContain("The account is enabled.");
  const self = await visitor.open(await operatorAddress());
  expect(self.text).toContain("This is your own account");
  expect(self.text).not.toContain("Disable account");
  expect([self.text.includes("on your profile"), self.html.includes('name="email"')]).toEqual([true, false]);
  const forced = await visitor.post(self.address, { intent: "disable" });
  expect(forced.text).toContain("You can't disable your own account.");
});

test("a user is signed out everywhere, and may log in again", async () => {
  const { page, own } = await colleague();
  expect(page.text).toContain("Signed in here");
  const out = await (await page.follow("Sign out everywhere")).submit("Sign out everywhere");
  expect(out.text).toContain("Not signed in anywhere.");
  expect((await own.open("/dashboard")).address).toMatch(/^\/login/);
});

test("an operator's account is visible to other administrators, and changed by none of them", async () => {
  const { page, own } = await colleague();
  await (await page.follow("Assign the role Administrator to")).submit("Make an administrator");
  const operator = await own.open(await operatorAddress());
  expect(operator.text).toContain("Only operators of this installation can change it.");
  expect(operator.text).not.toContain("Save");
  const forced = await own.post(operator.address, { intent: "take", role: "ADMIN" });
  expect(forced.text).toContain("Only an operator of this installation may change an operator's account.");
});

test("T01: an unknown user is answered 404, for every page and form", async () => {
  const unknown = await visitor.open(`${users}/users/${nowhere}/edit`);
  expect(unknown.status).toBe(404);
  expect((await visitor.post(`${users}/users/${nowhere}/edit`, { intent: "signOut" })).status).toBe(404);
  expect((await visitor.open(`${users}/users/nobody/edit`)).status).toBe(404);
});
