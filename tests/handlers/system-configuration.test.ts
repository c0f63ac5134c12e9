import { afterAll, beforeAll, expect, test } from "vitest";
import { joinAs } from "../support/handled-newcomer.ts";
import { type HandledPortal, openHandledPortal, type Visitor } from "../support/handled-portal.ts";

const address = "/administration/system-configuration";
const section = (name: string) => `${address}?section=${name}`;

let portal: HandledPortal;
let operator: Visitor;
beforeAll(async () => {
  // A port without a listener.
  portal = await openHandledPortal({ TEST_ANALYZER_URL: "http://127.0.0.1:1" });
  operator = await portal.signIn();
});
afterAll(async () => {
  await portal.stop();
});

test("each service is listed with health and version, an unresponsive one as unavailable", async () => {
  const page = await (await operator.open("/administration")).follow("System configuration");
  expect(page.status).toBe(200);
  for (const service of ["security-service", "portal-service", "api-registry", "test-registry", "test-executioner"]) {
    expect(page.rows(service)).toEqual([expect.stringMatching(/up\d+\.\d+\.\d+$/)]);
  }
  expect(page.rows("test-analyzer")).toEqual([expect.stringMatching(/unavailableunavailable$/)]);
  expect(page.rows("Test executions")).toEqual(["Test executions00Queue empty"]);
  expect(page.rows("Account and invitation emails")).toHaveLength(1);
});

test("a URL is judged like a test's request, and nothing is sent to it", async () => {
  const page = await operator.open(section("network"));
  const refused = await page.submit("Check", { url: "http://10.0.0.1:8080/health" });
  expect([refused.status, refused.value("url")]).toEqual([200, "http://10.0.0.1:8080/health"]);
  expect(refused.text).toContain("10.0.0.1, port 8080: refused");
  expect(refused.text).toContain("It is a private or reserved address.");
  expect((await page.submit("Check", { url: "http://127.0.0.1:9/" })).text).toContain("port 9: refused");
  expect((await page.submit("Check", { url: "http://127.0.0.1:8080/" })).text).toContain("port 8080: allowed");
  expect((await page.submit("Check", { url: "nonsense" })).text).toContain("It has to be absolute");
  const empty = await page.submit("Check", { url: " " });
  expect([empty.status, empty.errors("url")]).toEqual([422, "Enter a URL"]);
});

test("a test email is sent to the given address, and the page says whether the mail server accepted it", async () => {
  const page = await operator.open(section("mail"));
  expect(page.text).toContain("Senderportal@example.com (MAIL_FROM)");
  const wrong = await page.submit("Send a test email", { address: "ada" });
  expect([wrong.status, wrong.errors("address")]).toEqual([422, "Enter an email address, e.g. name@example.com"]);
  const sent = await page.submit("Send a test email", { address: "ada@example.com" });
  expect(sent.text).toContain("A test email to ada@example.com was sent");
  const email = await portal.mail.newest("ada@example.com", /Test email/);
  expect(email.text).toContain("Emails from https://portal.example.com arrive at this address.");
  portal.mail.refused.add("bob@example.com");
  const refused = await page.submit("Send a test email", { address: "bob@example.com" });
  expect(refused.text).toContain("The mail server rejected the email to bob@example.com");
  expect(refused.text).toContain("No such mailbox");
});

test("limits are set within their bounds, shown with their author, and undone", async () => {
  expect((await operator.open(section("changes"))).text).toContain("No changes yet");
  const page = await operator.open(section("limits"));
  const wrong = await page.submit("Save limits", { testTimeoutSeconds: "500", answerKibibytes: "many" });
  expect([wrong.status, wrong.errors("testTimeoutSeconds"), wrong.value("testTimeoutSeconds")]).toEqual([
    ...[422, "Enter a whole number of seconds from 1 to 120", "500"],
  ]);
  expect(wrong.errors("answerKibibytes")).toBe("Enter a whole number of KiB from 1 to 1,024");
  const saved = await page.submit("Save limits", { testTimeoutSeconds: "30" });
  expect(saved.text).toContain("Applied everywhere within 2 seconds.");
  expect([saved.value("testTimeoutSeconds"), saved.value("answerKibibytes") ?? ""]).toEqual(["30", ""]);
  const changes = await saved.follow("Changes");
  const [row] = changes.rows("Longest request of a test");
  expect(row).toContain("120 s (default)30 sAdministrator");
  const undone = await changes.submit("Undo", {}, "Longest request of a test");
  expect(undone.rows("(undone)")).toHaveLength(1);
  expect((await undone.follow("Test limits")).value("testTimeoutSeconds") ?? "").toBe("");
  const [change] = /name="changeId" value="([^"]+)"/.exec(changes.html)?.slice(1) ?? [];
  const late = await operator.post(address, { intent: "undo", changeId: change! });
  expect(late.text).toContain("It was changed again since.");
});

test("a private target is reached once an operator allows it, and an unreadable entry is reported at the field", async () => {
  const page = await operator.open(section("network"));
  expect(page.text).toContain("EGRESS_ALLOW allows loopback");
  const typed = { egressAllow: "10.0.0.1:8080\n10.0.0.2", verifiedDomainsOnly: "on" };
  const wrong = await page.submit("Save network rules", typed);
  expect([wrong.status, wrong.value("egressAllow")]).toEqual([422, typed.egressAllow]);
  expect(wrong.html).toMatch(/<input(?=[^>]*name="verifiedDomainsOnly")(?=[^>]*checked)/);
  expect(wrong.errors("egressAllow")).toContain("“10.0.0.2” can't be read");
  const saved = await page.submit("Save network rules", { egressAllow: "10.0.0.1:8080, 10.2.0.0/16:80" });
  expect(saved.value("egressAllow")).toBe("10.0.0.1:8080\n10.2.0.0/16:80");
  const check = await saved.submit("Check", { url: "http://10.0.0.1:8080/health" });
  expect(check.text).toContain("The allowed targets include it.");
  await (await saved.follow("Changes")).submit("Undo", {}, "Allowed private targets");
  expect((await saved.submit("Check", { url: "http://10.0.0.1:8080/health" })).text).toContain("port 8080: refused");
});

test("the retention of verdicts is set within its bounds", async () => {
  const page = await operator.open(section("retention"));
  const wrong = await page.submit("Save retention", { leastVerdictsDays: "0" });
  expect([wrong.status, wrong.errors("leastVerdictsDays")]).toEqual([
    422,
    "Enter a whole number of days from 1 to 3,650",
  ]);
  const saved = await page.submit("Save retention", { leastVerdictsDays: "400" });
  expect(saved.value("leastVerdictsDays")).toBe("400");
  expect((await saved.follow("Changes")).rows("Verdicts are stored for at least")[0]).toContain(
    "90 days (default)400 daysAdministrator",
  );
});

test("how often an unchanged response is stored again is set within its bounds", async () => {
  const page = await operator.open(section("retention"));
  const wrong = await page.submit("Save retention", { passedBodiesEvery: "1001" });
  expect(wrong.errors("passedBodiesEvery")).toBe("Enter a whole number of executions from 1 to 1,000");
  const saved = await page.submit("Save retention", { passedBodiesEvery: "1" });
  expect(saved.value("passedBodiesEvery")).toBe("1");
  expect((await saved.follow("Changes")).rows("Unchanged responses are stored again after")[0]).toContain(
    "20 executions (default)1 executionsAdministrator",
  );
});

test("by invitation only, a visitor who wants to register learns whom to contact, and the picked plan is remembered", async () => {
  const page = await operator.open(section("registration"));
  const visitor = portal.visit();
  const begun = await visitor.open("/create-account-individual?serviceId=team");
  await page.submit("Save registration", { registrationByInvitation: "on" });
  for (const path of ["/", "/login", "/about"])
    expect([path, (await visitor.open(path)).html]).toEqual([path, expect.not.stringMatching(/>\s*register\s*</i)]);
  const choosing = `/login?redirectTo=${encodeURIComponent("/billing?serviceId=team")}`;
  expect((await (await visitor.open("/")).follow("Log in to choose Team")).address).toBe(choosing);
  const registrationPage = await visitor.open("/registration-type-selection?serviceId=team");
  expect([registrationPage.status, registrationPage.heading]).toEqual([200, "Accounts are by invitation only"]);
  expect(registrationPage.text).toContain("Ask an administrator of your organization to invite you.");
  expect((await registrationPage.follow("Log in")).address).toBe(choosing);
  const late = await begun.submit("Email me a link", { email: "late@example.com" });
  expect([late.address, late.heading]).toEqual([
    "/registration-type-selection?serviceId=team",
    registrationPage.heading,
  ]);
  for (const closed of [
    "/register",
    "/signup",
    "/create-account-organization",
    "/complete-individual-account-registration",
  ]) {
    expect([closed, (await visitor.open(closed)).heading]).toEqual([closed, registrationPage.heading]);
  }
  const member = await joinAs(portal, "EDITOR");
  expect((await member.open("/dashboard")).status).toBe(200);
  await (await operator.open(section("changes"))).submit("Undo", {}, "Accounts are by invitation only");
  expect((await visitor.open("/registration-type-selection")).heading).toBe("Who is the account for?");
});

test("a user who is no operator neither sees the page nor sends its forms", async () => {
  const administrator = await joinAs(portal, "ADMIN");
  expect((await administrator.open(address)).status).toBe(403);
  expect((await administrator.post(address, { intent: "checkTarget", url: "http://10.0.0.1/" })).status).toBe(403);
  expect((await administrator.open("/administration")).text).not.toContain("System configuration");
  expect((await operator.post(address, { intent: "other" })).status).toBe(400);
});

test("each section has an address and shows its own settings with one way to save; an unknown one is the first", async () => {
  const first = await operator.open(section("nonsense"));
  expect(first.rows("security-service")).toHaveLength(1);
  const saves = (html: string) => [...html.matchAll(/<button[^>]*>(Save[^<]*)/g)].map(([, name]) => name);
  for (const [tab, save] of [
    ["Test limits", "Save limits"],
    ["Network", "Save network rules"],
    ["Retention", "Save retention"],
    ["Registration", "Save registration"],
  ] as const) {
    const page = await first.follow(tab);
    expect([tab, page.status, saves(page.html), page.rows("security-service")]).toEqual([tab, 200, [save], []]);
  }
  expect((await first.follow("Email")).text).toContain("Send a test email to");
});
