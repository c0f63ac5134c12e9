import { readdirSync, readFileSync } from "node:fs";
import { cruise, type IModule } from "dependency-cruiser";
import { expect, test } from "vitest";

const services = [
  "security-service",
  "portal-service",
  "api-registry",
  "test-registry",
  "test-executioner",
  "test-analyzer",
];

const { output } = await cruise(["app", "sandbox", "server", "services", "server.ts"], {
  tsPreCompilationDeps: true,
  doNotFollow: { path: "node_modules" },
  exclude: { path: "^build/" },
  enhancedResolveOptions: { extensions: [".ts", ".tsx", ".js", ".css.ts"] },
  tsConfig: { fileName: "tsconfig.json" },
});
const { modules } = output as { modules: IModule[] };
const arrowsFrom = new Map(
  modules.map(({ source, dependencies }) => [
    source,
    dependencies.map(({ resolved, dependencyTypes, dynamic, circular }) => ({
      from: source,
      to: resolved,
      typeOnly: dependencyTypes.includes("type-only"),
      dynamic,
      circular,
    })),
  ]),
);
const arrows = [...arrowsFrom.values()].flat();

/** Arrows that start in `from`, end in `to` and are not among the exceptions, as `a → b` lines. */
function wrongArrows(from: RegExp, to: RegExp, allowed: RegExp = /^$/): string[] {
  return arrows
    .filter((arrow) => from.test(arrow.from) && to.test(arrow.to) && !allowed.test(arrow.to))
    .map((arrow) => `${arrow.from} → ${arrow.to}`);
}

/** The same over any number of arrows: what a file reaches by way of others, it knows, too. */
function wrongWays(from: RegExp, to: RegExp, allowed: RegExp = /^$/, kind: "all" | "running" = "all"): string[] {
  const cameFrom = new Map<string, string | undefined>();
  for (const { source } of modules) if (from.test(source)) cameFrom.set(source, undefined);
  for (const file of cameFrom.keys()) {
    for (const arrow of arrowsFrom.get(file) ?? []) {
      if (kind === "running" && arrow.typeOnly) continue;
      if (!cameFrom.has(arrow.to)) cameFrom.set(arrow.to, file);
    }
  }
  const wayTo = (file: string): string => {
    const before = cameFrom.get(file);
    return before ? `${wayTo(before)} → ${file}` : file;
  };
  return [...cameFrom.keys()].filter((file) => !from.test(file) && to.test(file) && !allowed.test(file)).map(wayTo);
}

const product = "(?!.*\\.test\\.tsx?$)(?!(.*/)?testing/)";

test("the arrows are seen at all: pages reach contracts, services reach the kit, and over it the database", () => {
  expect(arrows.length).toBeGreaterThan(500);
  expect(wrongArrows(/^app\//, /^services\/.+\/contract\//)).not.toEqual([]);
  expect(wrongArrows(/^services\/api-registry\//, /^services\/kit\//)).not.toEqual([]);
  expect(wrongWays(/^services\/api-registry\/http\//, /node_modules\/pg\//)).not.toEqual([]);
});

test("no files know each other in a circle, not even by their types", () => {
  expect(arrows.filter(({ circular }) => circular).map(({ from, to }) => `${from} → ${to}`)).toEqual([]);
});

test("the portal knows of services only what they promise", () => {
  const allowed =
    /^services\/[^/]+\/contract\/|^services\/kit\/(contract|client|problem|openapi|json|template|time-zone)\//;
  expect(wrongWays(new RegExp(`^app/${product}`), /^services\//, allowed)).toEqual([]);
});

test("services know nothing of the portal, and of the process only their own entries do", () => {
  expect(wrongWays(/^services\/(?![^/]+\/main\.ts$)/, /^(app\/|server)/)).toEqual([]);
});

test("the sandbox in PayPal's place knows nothing of the portal, and only the process knows the sandbox", () => {
  expect(wrongWays(new RegExp(`^sandbox/${product}`), /^(app|server|services)\//, /^services\/kit\//)).toEqual([]);
  expect(wrongArrows(new RegExp(`^(app|services)/${product}`), /^sandbox\//)).toEqual([]);
});

test("a service knows of another only its contract", () => {
  const wrong = services.flatMap((service) =>
    wrongWays(
      new RegExp(`^services/${service}/(?!main\\.ts$)${product}`),
      /^services\//,
      new RegExp(`^services/${service}/|^services/kit/|^services/[^/]+/contract/`),
    ),
  );
  expect(wrong).toEqual([]);
});

test("the kit knows nothing outside of it", () => {
  expect(wrongWays(/^services\/kit\//, /^(app|server|services)/, /^services\/kit\//)).toEqual([]);
});

test("a contract has no code behind it", () => {
  const allowed = /\/contract\/|^services\/kit\/problem\/|^node_modules\/(@hono\/zod-openapi|zod)\//;
  expect(wrongWays(/^services\/[^/]+\/contract\//, /./, allowed)).toEqual([]);
});

test("a domain is pure: no rows, no HTTP, no clock, no schema library, no file and no thread", () => {
  const impure =
    /\/(store|http|jobs)\/|^services\/kit\/(database|queue|clock|egress|worker|service|client)\/|node_modules\/(kysely|hono|@hono|undici|pg-boss|zod)\/|^(node:)?(fs|net|http|https|worker_threads|child_process)(\/|$)/;
  const domains = new RegExp(`^services/[^/]+/domain/${product}`);
  expect(wrongArrows(domains, impure)).toEqual([]);
  expect(wrongWays(domains, impure, /^$/, "running")).toEqual([]);
});

test("what few portals ever use is loaded when somebody first does", () => {
  const rare = /^node_modules\/(openid-client|@simplewebauthn\/server)\//;
  const used = arrows.filter(({ to, typeOnly }) => rare.test(to) && !typeOnly);
  expect(used.length).toBeGreaterThan(1);
  expect(used.filter(({ dynamic }) => !dynamic)).toEqual([]);
});

test("only stores, migrations and the kit touch rows", () => {
  const rows = /node_modules\/(kysely|pg|@electric-sql)\//;
  expect(wrongArrows(new RegExp(`^services/(?!kit/)[^/]+/http/${product}`), rows)).toEqual([]);
  expect(wrongWays(new RegExp(`^services/(?!kit/)[^/]+/(contract|domain)/${product}`), rows)).toEqual([]);
});

test("pg-boss's tables are its own: its schema is named where it is given to it, and nowhere else", () => {
  const folders = ["app", "bench", "docs", "sandbox", "scripts", "server", "services", "tests"];
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" }).map((file) => `${folder}/${file}`),
  );
  const sources = [...files, "server.ts", "README.md", "ARCHITECTURE.md"]
    .filter((file) => /\.(tsx?|js|md|sql|sh)$/.test(file))
    .map((file) => ({ file, text: readFileSync(file, "utf8") }));
  const naming = sources.filter(({ text }) => /job_queue|\bpgboss\b/.test(text)).map(({ file }) => file);
  expect(naming.sort()).toEqual([
    "services/kit/queue/queue.ts",
    "tests/architecture.test.ts",
    // Leaves the whole schema out.
    "tests/second-wall.test.ts",
  ]);
  // There, it is given to pg-boss and opened as a whole; no statement has it.
  const queue = sources.find(({ file }) => file === "services/kit/queue/queue.ts")!.text;
  expect(queue.match(/^.*queueSchema.*$/gm)).toEqual([
    'const queueSchema = "job_queue";',
    "    schema: queueSchema,",
    "  await raiseSecondWall(database, queueSchema, log);",
  ]);
  expect(queue.match(/\b(select|insert|update|delete)\b.*\b(from|into|set)\b/gi)).toBeNull();
});

test("stored JSON is parsed, never cast", () => {
  const cast = /\brow\.\w+ as (?!string\b|SettingName\b)|JSON\.parse\(.*\) as |json\(.*\) as unknown/;
  const casting = modules
    .map(({ source }) => source)
    .filter((source) => new RegExp(`^services/[^/]+/(store|http|jobs)/${product}`).test(source))
    .filter((source) => cast.test(readFileSync(source, "utf8")));
  expect(casting).toEqual([]);
});

test("ui would make sense in another product: it knows neither pages nor session nor backend", () => {
  expect(wrongWays(/^app\/ui\//, /^(app|services|server)\//, /^app\/(ui|styles)\//)).toEqual([]);
});

test("only styles write colours down", () => {
  const elsewhere = modules
    .map(({ source }) => source)
    .filter((source) => /^app\/(?!styles\/).*\.css\.ts$/.test(source))
    .filter((source) => /#[\da-f]{3,8}\b|\brgba?\(|\bhsla?\(|oklch\(/i.test(readFileSync(source, "utf8")));
  expect(elsewhere).toEqual([]);
});

test("every outbound request to a given address goes through the egress door", () => {
  // The queue's `fetch` takes jobs.
  const otherFetch = /^services\/kit\/(egress|queue)\//;
  expect(
    wrongArrows(/^services\/(?!kit\/egress\/)(?!.*\.test\.ts$)(?!.*\/testing\/)/, /node_modules\/undici\//),
  ).toEqual([]);
  const ownSockets = /^services\/(?!kit\/(egress|service|lock)\/)(?!.*\.test\.ts$)(?!.*\/testing\/)/;
  expect(wrongArrows(ownSockets, /^(node:)?(http|https|http2|net|tls|dgram)$/)).toEqual([]);
  const fetching = modules
    .map(({ source }) => source)
    .filter(
      (source) =>
        /^services\/.*(?<!\.test)\.ts$/.test(source) && !otherFetch.test(source) && !/\/testing\//.test(source),
    )
    .filter((source) => /(?<![.\w])(?:globalThis\.)?fetch\(/.test(readFileSync(source, "utf8")));
  // The client's `fetch` goes to addresses that the operator configured, never to a user's.
  expect(fetching).toEqual(["services/kit/client/client.ts"]);
});

test("no folder or file has a name that says nothing", () => {
  const empty = /(^|\/)(utils?|helpers?|common|misc|lib|types|index)(\/|\.tsx?$)/;
  expect(
    modules.map(({ source }) => source).filter((source) => !source.includes("node_modules") && empty.test(source)),
  ).toEqual([]);
});
