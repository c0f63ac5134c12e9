import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { requireValue } from "../../services/kit/client/client.ts";
import { runAssurance, runCommand } from "../support/command-line.ts";
import { signInToBackend } from "../support/portal-backend.ts";
import { type PortalProcess, startPortalProcess } from "../support/portal-process.ts";

let portal: PortalProcess;
let target: Server;
let home: string;
let token: string;
let status = 200;
const requested: string[] = [];

beforeAll(async () => {
  target = createServer((request, response) => {
    requested.push(request.url!);
    response.writeHead(status, { "content-type": "application/json" }).end('[{"id":1}]');
  });
  await new Promise<void>((done) => target.listen(0, "127.0.0.1", done));
  portal = await startPortalProcess({ environment: { EGRESS_ALLOW: "loopback", LOG_LEVEL: "error" } });
  home = mkdtempSync(join(tmpdir(), "assurance-home-"));
  const backend = await signInToBackend(portal);
  const baseUrl = `http://127.0.0.1:${(target.address() as AddressInfo).port}`;
  const responses = { 200: { description: "Books" } };
  const paths = { "/books": { get: { responses }, post: { responses } } };
  const document = JSON.stringify({ openapi: "3.1.0", info: { title: "Books", version: "1" }, paths });
  const api = requireValue(await backend.apiRegistry.registerApi({ body: { source: { document }, baseUrl } }), "API");
  const assertions = [{ source: "statusCode" as const, comparison: "equals" as const, target: 200 }];
  const create = async (name: string, method: string) => {
    const body = { name, method, path: "/books", request: {}, assertions, tags: ["smoke"] };
    return requireValue(await backend.testRegistry.createTest({ params: { apiId: api.id }, body }), name).id;
  };
  const listing = await create("List books", "get");
  await create("Create a book", "post");
  const members = [{ testId: listing }];
  for (const name of ["Daily", "Hourly", "hourly"])
    requireValue(await backend.testRegistry.createCircle({ body: { name, members } }), "circle");
  const environments = [{ name: "Preview", baseUrl: `${baseUrl}/of-environment`, variables: {} }];
  requireValue(
    await backend.apiRegistry.replaceEnvironments({ params: { apiId: api.id }, body: { items: environments } }),
    "environments",
  );
  const scopes = ["apis:read" as const, "tests:read" as const, "tests:run" as const];
  token = requireValue(
    await backend.securityService.createApiToken({ body: { name: "Shell", scopes } }),
    "token",
  ).token;
}, 120_000);
afterAll(async () => {
  rmSync(home, { recursive: true, force: true });
  await new Promise((closed) => target.close(closed));
  await portal.stop();
});

const assurance = (given: string[], input?: string) => runAssurance(given, { environment: { HOME: home }, input });

test("npm runs what the portal serves, at an address with its version", async () => {
  const redirect = await fetch(`${portal.origin}/cli.tgz`, { redirect: "manual" });
  const path = redirect.headers.get("location")!;
  expect([redirect.status, path]).toEqual([302, expect.stringMatching(/^\/cli\/\d+\.\d+\.\d+\.tgz$/)]);
  const npx = ["npx", "--yes", `${portal.origin}${path}`, "--version"];
  const { stdout } = await runCommand(npx, { environment: { HOME: home }, cwd: home });
  expect(`/cli/${stdout.trim()}.tgz`).toBe(path);
  expect((await fetch(`${portal.origin}/cli/9.9.9.tgz`)).status).toBe(404);
  expect((await fetch(`${portal.origin}/cli/package/main.js`)).status).toBe(404);
}, 60_000);

test("the documentation names every command and option", async () => {
  const documented = readFileSync("docs/command-line.md", "utf8");
  const { stdout } = await assurance(["--help"]);
  const commands = [...stdout.matchAll(/^ {2}([a-z]+) .*/gm)].map(([, name]) => name!);
  expect(commands.length).toBeGreaterThan(7);
  for (const command of commands) {
    expect(documented, command).toContain(command);
    const help = (await assurance([command, "--help"])).stdout;
    const options = [...help.matchAll(/^ {2}(?:-\w, )?(--[\w-]+)/gm)].map(([, name]) => name!);
    for (const option of options.filter((one) => one !== "--help")) expect(documented).toContain(`\`${option}`);
  }
});

test("before a login, commands say how to log in", async () => {
  const { code, stderr } = await assurance(["status"]);
  expect([code, stderr]).toEqual([4, expect.stringContaining('Run "assurance login"')]);
});

test("a token is stored for its user alone, and only if the portal accepts it", async () => {
  const file = join(home, ".config/assurance/access.json");
  const wrong = await assurance(["login", portal.origin], "aap_wrong\n");
  expect([wrong.code, wrong.stderr]).toEqual([4, expect.stringContaining("does not accept the token")]);
  expect(() => statSync(file)).toThrow();
  const { code, stdout } = await assurance(["login", `${portal.origin}/`], `${token}\n`);
  expect([code, stdout]).toEqual([0, expect.stringContaining(file)]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ url: portal.origin, token });
});

test("a circle is written as files of another tool, and what they lack is said apart", async () => {
  const out = join(home, "exported");
  const { code, stdout, stderr } = await assurance(["export", "--circle", "daily", "--format", "hurl", "--out", out]);
  expect([code, stdout]).toEqual([0, `${join(out, "daily.hurl")}\n${join(out, "daily.env")}\n`]);
  expect(stderr).toBe("");
  expect(readFileSync(join(out, "daily.hurl"), "utf8")).toContain("GET {{baseUrl}}/books\nHTTP 200\n");
  const curl = await assurance(["export", "--api", "books", "--format", "curl", "--out", out]);
  expect([curl.code, curl.stderr]).toEqual([0, expect.stringContaining("List books: assertions. curl sends requests")]);
  const refused = await assurance(["export", "--circle", "daily", "--format", "soap"]);
  expect([refused.code, refused.stderr]).toEqual([3, expect.stringContaining("format")]);
});

test("an API that was never tested is not said to be well", async () => {
  const { stdout } = await assurance(["status"]);
  expect(stdout).toMatch(/^0 of 1 API failing, .*APIs\n {2}- Books {2}not tested\n/s);
});

test("a circle is run by its name; its verdict is the exit code, and its report a file", async () => {
  status = 200;
  const passed = await assurance(["run", "--circle", "daily"]);
  expect([passed.code, passed.stderr, passed.stdout]).toEqual([
    0,
    "",
    expect.stringMatching(/^1 passed: 1 test, 1 request, /m),
  ]);
  status = 500;
  const report = join(home, "junit.xml");
  const failed = await assurance(["run", "--circle", "Daily", "--report", `junit=${report}`]);
  expect([failed.code, failed.stdout]).toEqual([1, expect.stringContaining("Expected status code 200, got 500.")]);
  expect(readFileSync(report, "utf8")).toContain('failures="1"');
  const unknown = await assurance(["run", "--circle", "Nightly"]);
  expect([unknown.code, unknown.stderr]).toEqual([
    3,
    expect.stringMatching(/No circle has the name "Nightly"\. There are:\n {2}Daily {2}/),
  ]);
});

test("a name as it is written is preferred to one in another case", async () => {
  status = 200;
  expect((await assurance(["run", "--circle", "hourly"])).code).toBe(0);
  const several = await assurance(["run", "--circle", "HOURLY"]);
  expect([several.code, several.stderr]).toEqual([
    3,
    expect.stringContaining('Several circles have the name "HOURLY"'),
  ]);
});

test("a circle runs in an environment, and at a preview's base URL", async () => {
  requested.length = 0;
  const { port } = target.address() as AddressInfo;
  const inEnvironment = await assurance(["run", "--circle", "Daily", "--environment", "Preview"]);
  const atPreview = await assurance(["run", "--circle", "Daily", "--base-url", `http://localhost:${port}/preview`]);
  expect([inEnvironment.stderr, atPreview.stderr, requested]).toEqual([
    ...["", ""],
    ["/of-environment/books", "/preview/books"],
  ]);
  // So that the next test has a failed run to explain.
  status = 500;
  expect((await assurance(["run", "--circle", "Daily"])).code).toBe(1);
});

test("what failed is explained with what has changed since it passed, and run again", async () => {
  const explained = await assurance(["explain"]);
  expect([explained.code, explained.stderr]).toEqual([1, ""]);
  expect(explained.stdout).toMatch(/^Daily, .*UTC\n/);
  expect(explained.stdout).toMatch(
    /It passed last at .*Since then:\n {2}List books: status 200 → 500; passed → failed/,
  );
  const shown = await assurance(["status"]);
  expect(shown.stdout).toMatch(/^1 of 1 API failing, /);
  status = 200;
  const again = await assurance(["rerun"]);
  expect([again.code, again.stdout]).toEqual([0, expect.stringMatching(/^1 passed/m)]);
  const opened = await assurance(["open"]);
  const page = await fetch(opened.stdout.trim(), { redirect: "manual" });
  // Its page asks a visitor to log in.
  expect([page.status, page.headers.get("location")]).toEqual([303, expect.stringContaining("/login")]);
});

test("tests with a tag are run without those that may change something, at a preview's base URL", async () => {
  requested.length = 0;
  const { port } = target.address() as AddressInfo;
  const preview = ["--base-url", `http://localhost:${port}/preview`];
  const { code, stderr } = await assurance(["run", "--tag", "smoke", ...preview]);
  expect([code, stderr, requested]).toEqual([0, "", ["/preview/books"]]);
  const nothing = await assurance(["run", "--tag", "slow"]);
  expect([nothing.code, nothing.stderr]).toEqual([3, expect.stringContaining('No enabled test has the tag "slow"')]);
});

test("with --only-changed only the tests of operations run that a document changes", async () => {
  status = 200;
  requested.length = 0;
  const write = (name: string, description: string) => {
    const responses = { 200: { description: "Books" } };
    const parameters = [{ name: "q", in: "query", description, schema: { type: "string" } }];
    const paths = { "/books": { get: { responses, ...(description ? { parameters } : {}) }, post: { responses } } };
    writeFileSync(
      join(home, name),
      JSON.stringify({ openapi: "3.1.0", info: { title: "Books", version: "1" }, paths }),
    );
    return join(home, name);
  };
  const run = (document: string) => assurance(["run", "--api", "Books", "--all", "--only-changed", document]);
  const changed = await run(write("changed.json", "Words"));
  expect([changed.code, changed.stderr, requested]).toEqual([0, "", ["/books"]]);
  expect(changed.stdout).toMatch(/^1 passed: 1 test/m);
  const same = await run(write("same.json", ""));
  expect([same.code, same.stderr]).toEqual([0, expect.stringContaining("Nothing to run")]);
});

test("a portal that is away is no failure of the API", async () => {
  const environment = { ASSURANCE_URL: "http://127.0.0.1:59999", ASSURANCE_TOKEN: token };
  const { code, stderr } = await runAssurance(["run", "--circle", "Daily", "--no-wait"], { environment });
  expect([code, stderr]).toEqual([2, expect.stringContaining("can't be reached (ECONNREFUSED)")]);
});
