import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { requireValue } from "../../services/kit/client/client.ts";
import { joinAs } from "../support/handled-newcomer.ts";
import { type HandledPortal, openHandledPortal, type Visitor } from "../support/handled-portal.ts";

const address = "/administration/audit-log";

let portal: HandledPortal;
let administrator: Visitor;
beforeAll(async () => {
  portal = await openHandledPortal();
  administrator = await portal.signIn();
  const { securityService, testAnalyzer } = portal.backend;
  const hook = { kind: "webhook" as const, name: "On call", enabled: true, url: "http://127.0.0.1:9/hook" };
  requireValue(await testAnalyzer.createChannel({ body: hook }), "channel");
  const body = { emails: ["ada@example.com"], roles: ["VIEWER" as const] };
  requireValue(await securityService.invite({ body }), "inviting");
});
afterAll(async () => {
  await portal.stop();
});

test("the records of different services form one list, newest first, filtered by actor, action and time", async () => {
  const page = await (await administrator.open("/administration")).follow("Audit log");
  const order = ["Invitation “ada@example.com”", "Alert channel “On call”"].map((what) => page.text.indexOf(what));
  expect(order).toEqual(order.toSorted((one, other) => one - other));
  expect(order).not.toContain(-1);
  const found = await page.submit("Filter", { query: "createchan" });
  expect([found.rows("Alert channel").length, found.rows("Invitation").length]).toEqual([1, 0]);
  expect((await page.submit("Filter", { kind: "invitation", period: "day" })).rows("Invitation")).toHaveLength(1);
  const none = await page.submit("Filter", { query: "nobody" });
  expect(none.text).toContain("No matching records");
  expect((await none.follow("Show all records")).rows("Alert channel")).toHaveLength(1);
});

test("who and what are named, with a link to what still exists, and the id is behind the change", async () => {
  const page = await administrator.open(address);
  expect(page.rows("Alert channel")[0]).toMatch(/Administrator.*\(admin\).*CreatedAlert channel “On call”Created/);
  const channel = await page.follow("“On call”");
  expect([channel.status, channel.heading]).toEqual([200, "On call"]);
});

test("the list is downloaded as filtered", async () => {
  const page = await administrator.open(`${address}?query=createchan`);
  const file = await page.follow("Download as CSV");
  expect(file.headers.get("content-type")).toBe("text/csv; charset=utf-8");
  const lines = file.html.trim().split("\r\n");
  expect(lines).toHaveLength(2);
  expect(lines[1]).toContain('"createChannel"');
  expect(lines[1]).toMatch(/"Administrator","On call",$/);
});

test("T01: an organization's administrator sees its own records, an operator all, and other users none", async () => {
  const ours = await joinAs(portal, "ADMIN");
  const own = await ours.open(`${address}?of=all`);
  expect(own.status).toBe(200);
  expect(own.text).not.toContain("All organizations");
  const everywhere = await (await administrator.open(address)).submit("Filter", { of: "all" });
  expect(everywhere.rows("of organization").length).toBeGreaterThan(0);
  const editor = await joinAs(portal, "EDITOR");
  for (const location of [address, `${address}.csv`]) expect((await editor.open(location)).status).toBe(403);
});

test("a record that was removed from any service's table is reported when the log is verified, with its position", async () => {
  const { apiRegistry, testRegistry, testExecutioner, testAnalyzer } = await portal.createBackend(portal.administrator);
  const document = JSON.stringify({ openapi: "3.1.0", info: { title: "Audited", version: "1" }, paths: {} });
  const registered = await apiRegistry.registerApi({ body: { source: { document } } });
  const params = { apiId: requireValue(registered, "API").id };
  const test = { name: "Read", method: "get", path: "/", request: {}, checks: ["not_a_server_error" as const] };
  requireValue(await testRegistry.createTest({ params, body: test }), "test");
  requireValue(await testExecutioner.createLocation({ body: { name: "Berlin" } }), "location");
  requireValue(await testAnalyzer.createMark({ body: { name: "1.0", ...params } }), "mark");
  const check = async () => await (await administrator.open(address)).follow("Check integrity");
  const before = await check();
  expect(before.rows("intact")).toHaveLength(6);
  expect(before.text).not.toContain("altered");
  const database = new pg.Client({ connectionString: portal.databaseUrl });
  await database.connect();
  const { rows: tables } = await database.query<{ schema: string }>(
    "select table_schema as schema from information_schema.tables where table_name = 'audit_records' order by 1",
  );
  expect(tables).toHaveLength(6);
  let broken = 0;
  for (const { schema } of tables) {
    const { rows } = await database.query(`select count(*)::int as records from ${schema}.audit_records`);
    if (rows[0].records === 0) continue;
    const [switchOff, switchOn] = ["disable", "enable"].map(
      (how) => `alter table ${schema}.audit_records ${how} trigger append_only`,
    );
    await database.query(`${switchOff}; delete from ${schema}.audit_records; ${switchOn}`);
    broken += 1;
    const after = await check();
    expect(after.rows("intact")).toHaveLength(6 - broken);
    const service = schema.replaceAll("_", "-");
    expect(after.rows("broken").find((row) => row.includes(service))).toMatch(/broken/);
    expect(after.rows("A record was removed").find((row) => row.includes(service))).toMatch(/1/);
  }
  await database.end();
  expect(broken).toBeGreaterThanOrEqual(5);
});
