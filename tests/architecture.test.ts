import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import type { RouteConfigEntry } from "@remix-run/route-config";
import { cruise, type IModule } from "dependency-cruiser";
import { expect, test } from "vitest";
import routes from "../app/routes";

const services = [
  "security-service",
  "portal-service",
  "api-registry",
  "test-registry",
  "test-executioner",
  "test-analyzer",
];

/** The layers from bottom to top; folders of one layer import each other only where a rule allows it. */
const floors = [["contracts"], ["libraries"], ["services"], ["app", "sandbox", "cli"], ["bench", "server"]];
const topFolders = floors.flat();

const { output } = await cruise([...topFolders, "server.ts"], {
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

const getFolder = (file: string) => file.replace(/^server\.ts$/, "server").split("/")[0]!;
/** Undefined for packages, and for `tests/`, which may import everything. */
const getFloor = (file: string) => {
  const floor = floors.findIndex((names) => names.includes(getFolder(file)));
  return floor < 0 ? undefined : floor;
};

/** Imports from `from` to `to` that are not among the exceptions, as `a → b` lines. */
function wrongArrows(from: RegExp, to: RegExp, allowed: RegExp = /^$/): string[] {
  return arrows
    .filter((arrow) => from.test(arrow.from) && to.test(arrow.to) && !allowed.test(arrow.to))
    .map((arrow) => `${arrow.from} → ${arrow.to}`);
}

/** The same for transitive imports: a file depends on everything that it reaches indirectly. */
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

test("imports are found at all: pages import contracts, services the kit, and through it the database", () => {
  expect(arrows.length).toBeGreaterThan(500);
  for (const folder of topFolders)
    expect(modules.filter(({ source }) => source.startsWith(`${folder}/`)).length).toBeGreaterThan(5);
  expect(wrongArrows(/^app\//, /^contracts\//)).not.toEqual([]);
  expect(wrongArrows(/^services\/api-registry\//, /^services\/kit\//)).not.toEqual([]);
  expect(wrongWays(/^services\/api-registry\/http\//, /node_modules\/pg\//)).not.toEqual([]);
});

test("an import goes down a layer or stays in its folder, and never goes up", () => {
  const up = arrows.filter(({ from, to }) => {
    const [below, above] = [getFloor(from), getFloor(to)];
    if (below === undefined || above === undefined || getFolder(from) === getFolder(to)) return false;
    return below <= above;
  });
  expect(up.map(({ from, to }) => `${from} → ${to}`)).toEqual([]);
});

test("no files import each other in a cycle, not even for types", () => {
  expect(arrows.filter(({ circular }) => circular).map(({ from, to }) => `${from} → ${to}`)).toEqual([]);
});

test("the portal imports only the contracts of services", () => {
  expect(wrongWays(new RegExp(`^app/${product}`), /^services\//, /^services\/kit\/client\//)).toEqual([]);
});

test("only benches and tests import shared test code", () => {
  expect(wrongWays(new RegExp(`^(?!bench/)(${topFolders.join("|")})/${product}`), /^tests\//)).toEqual([]);
});

test("the PayPal sandbox imports nothing of the portal, and only the process imports the sandbox", () => {
  expect(wrongWays(new RegExp(`^sandbox/${product}`), /^(app|server|services)\//, /^services\/kit\//)).toEqual([]);
  expect(wrongArrows(new RegExp(`^(app|services)/${product}`), /^sandbox\//)).toEqual([]);
});

test("the command line imports of services only what is pure", () => {
  const pure = /^services\/(?!kit\/)[^/]+\/domain\//;
  expect(wrongWays(new RegExp(`^cli/${product}`), /^(app|services|server)\//, pure)).toEqual([]);
});

test("a service imports only the contract of another", () => {
  const wrong = services.flatMap((service) =>
    wrongWays(new RegExp(`^services/${service}/${product}`), /^services\//, new RegExp(`^services/(${service}|kit)/`)),
  );
  expect(wrong).toEqual([]);
});

test("the kit imports nothing from outside", () => {
  expect(wrongArrows(/^services\/kit\//, /^services\//, /^services\/kit\//)).toEqual([]);
});

test("a contract imports zod and other contracts", () => {
  const allowed = /^node_modules\/(@hono\/zod-openapi|zod)\//;
  expect(wrongWays(/^contracts\//, /./, allowed)).toEqual([]);
});

test("a library imports no database and no HTTP server, not even in its tests", () => {
  const product = /node_modules\/(kysely|pg|pg-boss|@electric-sql|@hono\/node-server)\//;
  expect(wrongWays(/^libraries\//, product)).toEqual([]);
});

test("a domain is pure: no rows, no HTTP, no clock, no schema library, no file and no thread", () => {
  const impure =
    /\/(store|http|jobs)\/|^libraries\/(egress|worker-thread)\/|^services\/kit\/(database|queue|clock|service|client)\/|node_modules\/(kysely|hono|@hono|undici|pg-boss|zod)\/|^(node:)?(fs|net|http|https|worker_threads|child_process)(\/|$)/;
  // So is the code that judges and plans requests, except for the threads it may use, and for the code that sends.
  const judging = "libraries/judging/(?!thread/|judging\\.ts)";
  const running = "libraries/running/(?!sending/|hiding/hiding|(run-test|pause|lookups)\\.ts)";
  const domains = new RegExp(`^(services/[^/]+/domain/|${judging}|${running})${product}`);
  expect(wrongArrows(domains, impure)).toEqual([]);
  expect(wrongWays(domains, impure, /^$/, "running")).toEqual([]);
});

test("modules that few portals ever use are loaded on first use", () => {
  const rare = /^node_modules\/(openid-client|@simplewebauthn\/server|@modelcontextprotocol\/server)\//;
  const used = arrows.filter(({ to, typeOnly }) => rare.test(to) && !typeOnly);
  expect(used.length).toBeGreaterThan(2);
  expect(used.filter(({ dynamic }) => !dynamic)).toEqual([]);
});

test("only stores, migrations and the kit access rows", () => {
  const rows = /node_modules\/(kysely|pg|@electric-sql)\//;
  expect(wrongArrows(new RegExp(`^services/(?!kit/)[^/]+/http/${product}`), rows)).toEqual([]);
  expect(wrongWays(new RegExp(`^services/(?!kit/)[^/]+/domain/${product}`), rows)).toEqual([]);
});

test("ui could be used in another product: it imports neither pages nor session nor backend", () => {
  expect(wrongWays(/^app\/ui\//, /^(app|services|server)\//, /^app\/(ui|styles)\//)).toEqual([]);
});

const getFiles = (entries: RouteConfigEntry[]): string[] =>
  entries.flatMap(({ file, children = [] }) => [`app/${file}`, ...getFiles(children)]);
const pageFolders = new Set(getFiles(await routes).map(dirname));
/** The nearest folder that has a page: the parts of a page are next to it, or in folders below without a page. */
const getPageFolder = (file: string): string => {
  const folder = dirname(file);
  return folder === "app/routes" || pageFolders.has(folder) ? folder : getPageFolder(folder);
};
const betweenPages = (found: { from: string; to: string }[]) =>
  found
    .filter(({ from, to }) => [from, to].every((file) => file.startsWith("app/routes/")))
    .filter(({ from, to }) => !`${dirname(from)}/`.startsWith(`${getPageFolder(to)}/`));

test("a page never imports another page's folder, only its own and its ancestors'", () => {
  const page = "app/routes/test-management/runs/run.tsx";
  const planted = [
    { from: page, to: "app/routes/test-management/schedules/week.ts" },
    { from: page, to: "app/routes/billing/page.tsx" },
    { from: "app/routes/test-management/manage.tsx", to: "app/routes/test-management/tests/make/making.ts" },
    { from: "app/routes/test-management/start.ts", to: page },
  ];
  expect(betweenPages(planted)).toEqual(planted);
  const own = [
    { from: page, to: "app/routes/test-management/runs/again-dialog.tsx" },
    { from: page, to: "app/routes/test-management/last-runs.tsx" },
    { from: page, to: "app/routes/workspace-layout.tsx" },
    { from: "app/routes/account/create-individual.tsx", to: "app/routes/account/request/plan-choice.tsx" },
  ];
  expect(betweenPages(own)).toEqual([]);

  expect(betweenPages(arrows).map(({ from, to }) => `${from} → ${to}`)).toEqual([]);
  const folders = /^app\/(routes|features|ui|shell|session|forms|backend|islands|styles)\/|^app\/href\.ts$/;
  expect(wrongArrows(new RegExp(`^app/routes/${product}`), /^app\//, folders)).toEqual([]);
  expect(wrongArrows(/^app\/(?!routes\/)/, /^app\/routes\//)).toEqual([]);
});

const getFeature = (file: string) => /^app\/features\/([^/]+)\//.exec(file)?.[1];
/** Features that import themselves through others, each with the path: `runs → plans → runs`. */
function circlesOfFeatures(found: { from: string; to: string }[]): string[] {
  const known = new Map<string, Set<string>>();
  for (const { from, to } of found) {
    const [feature, other] = [getFeature(from), getFeature(to)];
    if (!feature || !other || feature === other) continue;
    known.set(feature, (known.get(feature) ?? new Set()).add(other));
  }
  const follow = (way: string[]): string[] =>
    [...(known.get(way.at(-1)!) ?? [])].flatMap((next) => {
      if (next === way[0]) return [[...way, next].join(" → ")];
      return way.includes(next) ? [] : follow([...way, next]);
    });
  return [...known.keys()].flatMap((feature) => follow([feature]));
}

test("features import ui, forms, session, backend and, without cycles, each other; neither pages nor shell nor islands", () => {
  const planted = [
    { from: "app/features/plans/plan-card.tsx", to: "app/features/runs/run-key.tsx" },
    { from: "app/features/runs/start-run.server.ts", to: "app/features/plans/plan-link.tsx" },
  ];
  expect(circlesOfFeatures(planted)).toEqual(["plans → runs → plans", "runs → plans → runs"]);
  expect(circlesOfFeatures(planted.slice(1))).toEqual([]);
  expect(wrongArrows(/^app\/features\//, /^app\/ui\//)).not.toEqual([]);

  expect(circlesOfFeatures(arrows)).toEqual([]);
  const allowed = /^app\/(features|ui|forms|session|backend|styles)\/|^app\/href\.ts$/;
  expect(wrongArrows(/^app\/features\//, /^app\//, allowed)).toEqual([]);
});

test("a subject of the portal is a feature, and never a top-level folder", () => {
  const found = modules.map(({ source }) => /^app\/([^/]+)\//.exec(source)?.[1]).filter(Boolean);
  expect([...new Set(found)].sort()).toEqual([
    "backend",
    "features",
    "forms",
    "islands",
    "routes",
    "session",
    "shell",
    "styles",
    "ui",
  ]);
});

test("every outbound request to a given address goes through the egress module", () => {
  const below = `^(contracts|libraries|services)/${product}`;
  const door = "(?!libraries/egress/)";
  expect(wrongArrows(new RegExp(`^${door}${below.slice(1)}`), /node_modules\/undici\//)).toEqual([]);
  // Code that listens, and the socket that locks a data folder.
  const ownSockets = "(?!services/kit/(service|lock)/)";
  expect(
    wrongArrows(new RegExp(`^${door}${ownSockets}${below.slice(1)}`), /^(node:)?(http|https|http2|net|tls|dgram)$/),
  ).toEqual([]);
  const fetching = modules
    .map(({ source }) => source)
    // The queue's `fetch` takes jobs.
    .filter((source) => new RegExp(`^${door}(?!services/kit/queue/)${below.slice(1)}`).test(source))
    .filter((source) => /(?<![.\w])(?:globalThis\.)?fetch\(/.test(readFileSync(source, "utf8")));
  // The client's `fetch` goes to addresses that the operator configured, never to a user's.
  expect(fetching).toEqual(["services/kit/client/client.ts"]);
});
