import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parse } from "yaml";
import type { Scope } from "#contracts/kit/endpoint.ts";
import { requireValue } from "../../services/kit/client/client.ts";
import { type Ended, runAssurance } from "../support/command-line.ts";
import { type PortalBackend, signInToBackend } from "../support/portal-backend.ts";
import { type PortalProcess, startPortalProcess } from "../support/portal-process.ts";

/** One with what the tests make, and one that is empty. */
let portals: PortalProcess[];
let backend: PortalBackend;
let tokens: string[];
let home: string;

const scopes: Scope[] = ["apis:read", "apis:write", "tests:read", "tests:write"];
const secrets = {
  ASSURANCE_SECRET_BOOKS_PASSWORD: "dune",
  ASSURANCE_SECRET_SLACK_URL: "https://hooks.slack.com/services/T0/B0/secret",
};
const responses = { 200: { description: "Books" } };
const paths = { "/books": { get: { responses }, post: { responses } }, "/authors": { get: { responses } } };
const document = JSON.stringify({ openapi: "3.1.0", info: { title: "Books", version: "1" }, paths }, null, 2);

beforeAll(async () => {
  portals = await Promise.all([0, 1].map(() => startPortalProcess({ environment: { LOG_LEVEL: "error" } })));
  home = mkdtempSync(join(tmpdir(), "assurance-code-"));
  const backends = await Promise.all(portals.map(signInToBackend));
  const made = backends.map(({ securityService }) =>
    securityService.createApiToken({ body: { name: "Shell", scopes } }),
  );
  tokens = (await Promise.all(made)).map((one) => requireValue(one, "token").token);
  backend = backends[0]!;
  const { apiRegistry, testRegistry } = backend;
  const body = { source: { document }, baseUrl: "https://books.example.com" };
  const api = requireValue(await apiRegistry.registerApi({ body }), "API");
  const create = async (name: string, method: string, path: string) => {
    const assertions = [{ source: "statusCode" as const, comparison: "equals" as const, target: 200 }];
    const test = { name, method, path, request: {}, assertions };
    return requireValue(await testRegistry.createTest({ params: { apiId: api.id }, body: test }), name).id;
  };
  const listing = await create("List books", "get", "/books");
  await create("Create a book", "post", "/books");
  await create("List authors", "get", "/authors");
  const circle = { name: "Daily", members: [{ testId: listing }] };
  requireValue(await testRegistry.createCircle({ body: circle }), "circle");
}, 120_000);
afterAll(async () => {
  rmSync(home, { recursive: true, force: true });
  await Promise.all(portals.map((portal) => portal.stop()));
});

const assurance = (given: string[], environment: Record<string, string> = {}, portal = 0): Promise<Ended> => {
  const access = { ASSURANCE_URL: portals[portal]!.origin, ASSURANCE_TOKEN: tokens[portal]! };
  return runAssurance(given, { cwd: home, environment: { HOME: home, ...access, ...environment } });
};
const path = (name: string) => join(home, "assurance", name);
const read = (name: string) => readFileSync(path(name), "utf8");
const change = (name: string, from: string, to: string) => {
  const text = read(name);
  expect(text).toContain(from);
  writeFileSync(
    path(name),
    text.replace(from, () => to),
  );
};

/** All files of a folder but the state of this machine, by name. */
function readAll(folder: string): Record<string, string> {
  const names = readdirSync(join(home, folder), { recursive: true, encoding: "utf8" }).sort();
  const files = names.filter((name) => !name.startsWith(".state") && statSync(join(home, folder, name)).isFile());
  return Object.fromEntries(files.map((name) => [name, readFileSync(join(home, folder, name), "utf8")]));
}

test("a pull writes what the portal has, and a second one changes nothing", async () => {
  const first = await assurance(["pull"]);
  expect([first.code, first.stderr]).toEqual([0, ""]);
  const files = readAll("assurance");
  expect(Object.keys(files)).toEqual([
    "apis/books/api.yaml",
    "apis/books/openapi.json",
    "apis/books/tests/authors.yaml",
    "apis/books/tests/books.yaml",
    "circles/daily.yaml",
  ]);
  expect(files["apis/books/openapi.json"]).toBe(document);
  expect(files["apis/books/tests/books.yaml"]).toContain(
    "  - key: list-books\n    name: List books\n    method: get\n",
  );
  expect(files["circles/daily.yaml"]).toContain("      - test: books/list-books\n");
  const second = await assurance(["pull"]);
  expect(second.stdout).toBe("assurance has what the portal has: 5 objects.\n");
  expect(readAll("assurance")).toEqual(files);
  const same = "Nothing to do: 5 objects are the same.\n";
  expect((await assurance(["apply", "--yes"])).stdout).toBe(`${same}The portal says now that these files hold them.\n`);
  expect((await assurance(["apply", "--yes"])).stdout).toBe(same);
});

test("what is wrong is said at its line, and nothing changes", async () => {
  change("circles/daily.yaml", "name: Daily", "name: Daily\n    stopOnFailure: perhaps");
  const { code, stderr } = await assurance(["plan"]);
  expect([code, stderr]).toEqual([3, expect.stringMatching(/^assurance\/circles\/daily\.yaml:5 {2}stopOnFailure: /)]);
  change("circles/daily.yaml", "\n    stopOnFailure: perhaps", "");
});

test("files are planned in words and applied as they are, with their comments; then there is nothing to do", async () => {
  change("apis/books/tests/books.yaml", "    name: List books", "    # Without a token.\n    name: Lists books # all");
  change("apis/books/tests/books.yaml", "        target: 200\n", "        target: 9007199254740993.10 # not seen\n");
  change(
    "circles/daily.yaml",
    "    name: Daily\n",
    `    name: Daily
    variables:
      - { name: password, value: { secret: BOOKS_PASSWORD } }
    schedules:
      - key: at-two
        cron: 0 2 * * *
        timeZone: Europe/Berlin
    serviceLevel: { objective: 99.5, days: 30 }
    statusPage: { title: Books }
`,
  );
  const alerts = `# People on call.
alertChannels:
  - key: ops
    kind: slack
    name: Ops
    url: { secret: SLACK_URL }
alertRules:
  - key: daily
    scope: { kind: circle, circle: daily }
    channels: [ops]
maintenanceWindows:
  - key: sunday
    name: Sunday
    times: { kind: repeating, cron: 0 2 * * 0, timeZone: UTC, durationMinutes: 60 }
`;
  writeFileSync(path("alerts.yaml"), alerts);
  const planned = await assurance(["plan", "--report", "markdown=plan.md"]);
  expect([planned.code, planned.stderr]).toEqual([0, ""]);
  expect(planned.stdout).toContain("~ test books/list-books  List books  assurance/apis/books/tests/books.yaml:");
  expect(planned.stdout).toContain('    name: "List books" → "Lists books"\n');
  expect(planned.stdout).toContain("+ alert channel ops  Ops  assurance/alerts.yaml:3\n");
  expect(planned.stdout).toContain("6 to create, 2 to change; 3 objects are the same.\n");
  expect(planned.stdout).toMatch(
    /which the portal has not: ASSURANCE_SECRET_BOOKS_PASSWORD, ASSURANCE_SECRET_SLACK_URL\./,
  );
  expect(readFileSync(join(home, "plan.md"), "utf8")).toContain("| Created | alert channel ops<br>");

  const missing = await assurance(["apply", "--yes"]);
  expect([missing.code, missing.stderr]).toEqual([
    3,
    expect.stringContaining("ASSURANCE_SECRET_BOOKS_PASSWORD and ASSURANCE_SECRET_SLACK_URL"),
  ]);
  const asked = await assurance(["apply"], secrets);
  expect([asked.code, asked.stderr]).toEqual([3, expect.stringContaining("add --yes")]);
  const job = { GITHUB_SERVER_URL: "https://git.example.com", GITHUB_REPOSITORY: "shop/books", GITHUB_SHA: "4f2a9c1" };
  const applied = await assurance(["apply", "--yes"], { ...secrets, ...job });
  expect([applied.code, applied.stderr]).toEqual([0, ""]);
  const { items } = requireValue(await backend.testRegistry.pullCode({ query: {} }), "objects");
  const provenance = { repository: "https://git.example.com/shop/books", commit: "4f2a9c1", isDrifted: false };
  for (const { key, applied: last } of items) expect([key, last]).toEqual([key, expect.objectContaining(provenance)]);
  expect(applied.stdout).toMatch(/\nApplied: 6 created, 2 changed\.\n$/);
  const again = await assurance(["apply", "--yes"]);
  expect(again.stdout).toBe("Nothing to do: 11 objects are the same.\n");

  const files = readAll("assurance");
  expect((await assurance(["pull"])).stdout).toContain("assurance has what the portal has: 11 objects.\n");
  expect(readAll("assurance")).toEqual(files);
  expect(files["alerts.yaml"]).toBe(alerts);
  expect(files["apis/books/tests/books.yaml"]).toContain("    # Without a token.\n    name: Lists books # all\n");
  expect(files["apis/books/tests/books.yaml"]).toContain("        target: 9007199254740993.10 # not seen\n");
});

test("what was changed in the portal is named, kept from being overwritten, and taken over by a pull", async () => {
  const { testRegistry } = backend;
  const [found] = requireValue(await testRegistry.listCircles({ query: {} }), "circles").items;
  const params = { testCircleId: found!.id };
  const circle = requireValue(await testRegistry.getCircle({ params }), "circle");
  requireValue(await testRegistry.changeCircle({ params, body: { ...circle, name: "Every day" } }), "renaming");
  const planned = await assurance(["plan"]);
  expect(planned.stdout).toMatch(
    / {4}! changed in the portal: name: "Daily" → "Every day";.* applying takes it back\n/,
  );
  const refused = await assurance(["apply", "--yes"]);
  expect([refused.code, refused.stderr]).toEqual([3, expect.stringContaining("1 object changed in the portal since.")]);
  const before = read("circles/daily.yaml");
  expect((await assurance(["pull"])).stdout).toContain("  assurance/circles/daily.yaml\n");
  expect(read("circles/daily.yaml")).toBe(before.replace("name: Daily", "name: Every day"));
  expect((await assurance(["plan"])).stdout).toBe("Nothing to do: 11 objects are the same.\n");
});

test("the files make an empty organization the same, byte for byte", async () => {
  const applied = await assurance(["apply", "--yes"], secrets, 1);
  expect([applied.code, applied.stderr]).toEqual([0, ""]);
  expect((await assurance(["pull", "first"])).code).toBe(0);
  expect((await assurance(["pull", "second"], {}, 1)).code).toBe(0);
  const toNeutral = (files: Record<string, string>, portal: number) =>
    Object.fromEntries(
      Object.entries(files).map(([name, text]) => [name, text.replaceAll(portals[portal]!.origin, "PORTAL")]),
    );
  expect(toNeutral(readAll("second"), 1)).toEqual(toNeutral(readAll("first"), 0));
});

test("the JSON Schema that the portal publishes accepts what a pull writes", async () => {
  const schema = (await (await fetch(`${portals[0]!.origin}/schemas/assurance.json`)).json()) as object;
  const accepts = addFormats
    .default(new Ajv2020({ strict: true, strictTypes: false, strictRequired: false }))
    .compile(schema);
  const files = Object.entries(readAll("first")).filter(([name]) => name.endsWith(".yaml"));
  expect(files.length).toBeGreaterThan(5);
  for (const [name, text] of files) {
    expect(text.split("\n")[0]).toBe(`# yaml-language-server: $schema=${portals[0]!.origin}/schemas/assurance.json`);
    expect([name, accepts(parse(text)), accepts.errors]).toEqual([name, true, null]);
  }
});

test("what no file has any more is deleted only where that was said", async () => {
  rmSync(path("apis/books/tests/authors.yaml"));
  const planned = await assurance(["plan"]);
  expect(planned.stdout).toContain(
    "\nOnly in the portal; --prune deletes it, and pull writes it\n  test books/list-authors",
  );
  expect((await assurance(["apply", "--yes"])).stdout).toContain("Nothing to do: 10 objects are the same.\n");
  const pruned = await assurance(["apply", "--yes", "--prune"]);
  expect([pruned.code, pruned.stdout]).toEqual([0, expect.stringContaining("\nApplied: 1 deleted.\n")]);
  expect((await assurance(["plan", "--prune"])).stdout).toBe("Nothing to do: 10 objects are the same.\n");
});

test("one API is pulled and planned by itself", async () => {
  expect((await assurance(["pull", "alone", "--api", "Books"])).code).toBe(0);
  expect(Object.keys(readAll("alone"))).toEqual([
    "apis/books/api.yaml",
    "apis/books/openapi.json",
    "apis/books/tests/books.yaml",
  ]);
  expect((await assurance(["plan", "alone", "--api", "books"])).stdout).toBe(
    "Nothing to do: 3 objects are the same.\n",
  );
});

test("more new APIs than the portal imports at once are applied together", async () => {
  const apis = Array.from({ length: 10 }, (_, index) => ({
    key: `api-${index}`,
    name: `API ${index}`,
    document: "d.json",
  }));
  mkdirSync(join(home, "many"));
  writeFileSync(join(home, "many/d.json"), document);
  writeFileSync(join(home, "many/apis.json"), JSON.stringify({ apis }));
  const applied = await assurance(["apply", "many", "--yes"], {}, 1);
  expect([applied.code, applied.stderr, applied.stdout]).toEqual([
    0,
    "",
    expect.stringContaining("Applied: 10 created.\n"),
  ]);
});
