import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createShop } from "../../sandbox/shop/app.ts";
import { type Listener, listen } from "../../services/kit/service/listener.ts";
import { builtCommandLine, runAssurance } from "../support/command-line.ts";

/** The example shop with its two problems, or without. */
let shop: Listener;
let origin: string;
let token: string;
let folder: string;
let document: string;
let hasProblems = true;
const requests: string[] = [];

beforeAll(async () => {
  const app = createShop({ base: () => origin, hasProblems: () => hasProblems });
  const fetchShop: typeof app.fetch = (request, ...more) => {
    requests.push(`${request.method} ${new URL(request.url).pathname}`);
    return app.fetch(request, ...more);
  };
  shop = await listen(fetchShop, { host: "127.0.0.1", port: 0 });
  origin = `http://127.0.0.1:${shop.port}`;
  const account = JSON.stringify({ username: "example", password: "stationery" });
  token = ((await (await fetch(`${origin}/login`, { method: "POST", body: account })).json()) as { token: string })
    .token;
  folder = mkdtempSync(join(tmpdir(), "assurance-"));
  const described: unknown = await (await fetch(`${origin}/openapi.json`)).json();
  document = "openapi.json";
  writeFileSync(join(folder, document), JSON.stringify(described, null, 2));
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await shop.close();
});

const check = (given: string[], environment: Record<string, string> = { API_TOKEN: token }) =>
  runAssurance(["check", ...given], { environment, cwd: folder });
const read = (name: string) => readFileSync(join(folder, name), "utf8");

test("what is downloaded has no dependencies, and at most two megabytes with its threads", () => {
  const folder = dirname(builtCommandLine[0]!);
  const sizes = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((file) => statSync(join(folder, file)));
  const bytes = sizes.filter((one) => one.isFile()).reduce((sum, { size }) => sum + size, 0);
  expect(bytes).toBeLessThan(2_000_000);
  const described = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Record<string, unknown>;
  expect(described).toMatchObject({ name: "assurance", bin: { assurance: "main.js" } });
  expect(described).not.toHaveProperty("dependencies");
});

test("a document and a server are enough: what the server breaks is said at its line, and the command fails", async () => {
  hasProblems = true;
  const { code, stdout } = await check([document, "--url", origin]);
  expect(stdout).toContain('$.items[6].price: expected a number, found "29.00" (a string).');
  const lines = read(document).split("\n");
  const failed = stdout.split("\n").filter((line) => line.startsWith("✗"));
  expect(failed).toEqual([
    "✗ GET /products  Searches products, page by page",
    "✗ GET /orders/{orderId}  Find no order that does not exist",
  ]);
  const [, line] = /openapi\.json:(\d+)\n/.exec(stdout)!;
  expect(lines[Number(line) - 1]).toContain('"get"');
  expect(code).toBe(1);
});

test("a server that keeps its promises passes, and what was created is deleted again", async () => {
  hasProblems = false;
  const products = async () => await (await fetch(`${origin}/products?size=50`)).json();
  const before = await products();
  const { code, stdout } = await check([document, "--url", origin]);
  expect(stdout).toMatch(/^\d+ passed: \d+ tests, \d+ requests, /m);
  expect(code).toBe(0);
  expect(await products()).toEqual(before);
});

test("with --read-only nothing is sent that may change something", async () => {
  requests.length = 0;
  expect((await check([document, "--url", origin, "--read-only"])).code).toBe(0);
  expect(requests.length).toBeGreaterThan(5);
  expect(requests.filter((request) => !request.startsWith("GET "))).toEqual([]);
});

test("--list says what would be sent and why something is left out, and sends nothing", async () => {
  requests.length = 0;
  const { stdout } = await check([document, "--url", origin, "--list", "--only", "orders"]);
  expect(stdout).toContain("Life of an order\n  first POST /baskets  Create a basket\n");
  expect(stdout).toContain("Left out: DELETE /orders/{orderId}. A deleted order may still be found");
  expect(stdout).not.toContain("Life of a product");
  expect(requests).toEqual([]);
});

test("reports are written of what ran, none with the token", async () => {
  hasProblems = true;
  const kinds = ["junit=junit.xml", "har=run.har", "html=run.html", "code-quality=quality.json", "json=run.json"];
  const summary = join(folder, "summary.md");
  const environment = { API_TOKEN: token, GITHUB_ACTIONS: "true", GITHUB_STEP_SUMMARY: summary };
  const { code, stdout } = await check(
    [document, "--url", origin, ...kinds.flatMap((kind) => ["--report", kind])],
    environment,
  );
  expect(code).toBe(1);
  expect(read("junit.xml")).toMatch(/<testsuites name="API Assurance" tests="\d+" failures="2" errors="0"/);
  const har = JSON.parse(read("run.har")) as { log: { entries: unknown[] } };
  expect(har.log.entries.length).toBeGreaterThan(50);
  const quality = JSON.parse(read("quality.json")) as { location: { path: string; lines: { begin: number } } }[];
  expect(quality.map(({ location }) => location.path)).toEqual([document, document]);
  const [, line] = /::error file=openapi\.json,line=(\d+),/.exec(stdout)!;
  expect(quality.map(({ location }) => location.lines.begin)).toContain(Number(line));
  expect(read("summary.md")).toContain("| Failed | `GET /orders/{orderId}`");
  expect(read("run.html")).toContain("<h2>What is wrong</h2>");
  for (const file of ["junit.xml", "run.har", "run.html", "quality.json", "run.json", "summary.md"])
    expect(read(file), file).not.toContain(token);
  expect(stdout).not.toContain(token);
});

test("exit codes tell a failure from a server that is away, from wrong usage and from missing credentials", async () => {
  const away = await check([document, "--url", "http://127.0.0.1:9"]);
  expect([away.code, away.stdout]).toEqual([2, expect.stringContaining("The connection was refused.")]);

  const where = await check([document]);
  expect([where.code, where.stderr]).toEqual([3, expect.stringContaining(`The document names ${origin}.`)]);
  const unknown = await check([document, "--url", origin, "--verbose"]);
  expect([unknown.code, unknown.stderr]).toEqual([3, expect.stringContaining("unknown option '--verbose'")]);
  writeFileSync(join(folder, "broken.yaml"), "openapi: 3.1.0\npaths: [");
  const broken = await check(["broken.yaml", "--url", origin]);
  expect([broken.code, broken.stderr]).toEqual([
    3,
    expect.stringMatching(/broken\.yaml can't be used:\n {2}broken\.yaml:\d+:\d+ /),
  ]);

  const secured = JSON.parse(read(document)) as { paths: Record<string, unknown>; security: unknown[] };
  const orders = { ...secured, paths: { "/orders": secured.paths["/orders"] } };
  writeFileSync(join(folder, "orders.json"), JSON.stringify(orders));
  const anonymous = await check(["orders.json", "--url", origin, "--no-invalid"], {});
  expect([anonymous.code, anonymous.stderr]).toEqual([
    4,
    expect.stringContaining("The API requires a bearer token, and none was given"),
  ]);
});

test("a document may consist of several files", async () => {
  const whole = JSON.parse(read(document)) as { paths: Record<string, unknown> };
  const products = JSON.stringify(whole.paths["/products"]).replaceAll("#/components", "several.json#/components");
  writeFileSync(join(folder, "products.json"), products);
  const paths = { "/products": { $ref: "./products.json" } };
  writeFileSync(join(folder, "several.json"), JSON.stringify({ ...whole, paths }));
  hasProblems = false;
  const { code, stdout } = await check(["several.json", "--url", origin, "--read-only"]);
  expect(stdout).toMatch(/^\d+ passed/m);
  expect(code).toBe(0);
});

test("what a document calls its operations can't act on a terminal or on the log of a pipeline", async () => {
  const summary = "\u001b[2JBooks\n::stop-commands::all";
  const get = { summary, responses: { 418: { description: "None" } } };
  const hostile = { openapi: "3.1.0", info: { title: summary, version: "1" }, paths: { "/products": { get } } };
  writeFileSync(join(folder, "hostile.json"), JSON.stringify(hostile));
  const { code, stdout } = await check(["hostile.json", "--url", origin], { FORCE_COLOR: "1" });
  expect(code).toBe(1);
  expect(stdout).toContain("Books ::stop-commands::all");
  expect(stdout).not.toContain("\u001b[2J");
  expect(stdout).not.toMatch(/^\s*::/m);
});
