import { readFileSync } from "node:fs";
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

const { output } = await cruise(["app", "server", "services", "server.ts"], {
  tsPreCompilationDeps: true,
  doNotFollow: { path: "node_modules" },
  exclude: { path: "(^|/)build/" },
  enhancedResolveOptions: { extensions: [".ts", ".tsx", ".js", ".css.ts"] },
  tsConfig: { fileName: "tsconfig.json" },
});
const { modules } = output as { modules: IModule[] };
const arrows = modules.flatMap(({ source, dependencies }) =>
  dependencies.map(({ resolved }) => ({ from: source, to: resolved })),
);

/** Arrows that start in `from`, end in `to` and are not among the exceptions, as `a → b` lines. */
function wrongArrows(from: RegExp, to: RegExp, allowed: RegExp = /^$/): string[] {
  return arrows
    .filter((arrow) => from.test(arrow.from) && to.test(arrow.to) && !allowed.test(arrow.to))
    .map((arrow) => `${arrow.from} → ${arrow.to}`);
}

test("the arrows are seen at all: pages reach contracts and services reach the kit", () => {
  expect(arrows.length).toBeGreaterThan(500);
  expect(wrongArrows(/^app\//, /^services\/.+\/contract\//)).not.toEqual([]);
  expect(wrongArrows(/^services\/api-registry\//, /^services\/kit\//)).not.toEqual([]);
});

test("the portal knows of services only what they promise", () => {
  const allowed = /^services\/[^/]+\/contract\/|^services\/kit\/(contract|client|problem|openapi)\//;
  expect(wrongArrows(/^app\//, /^services\//, allowed)).toEqual([]);
});

test("services know nothing of the portal, and of the process only their own entries do", () => {
  expect(wrongArrows(/^services\//, /^app\//)).toEqual([]);
  expect(wrongArrows(/^services\/(?![^/]+\/main\.ts$)/, /^server/)).toEqual([]);
});

test("the kit knows nothing outside of it", () => {
  expect(wrongArrows(/^services\/kit\//, /^(app|server|services)/, /^services\/kit\//)).toEqual([]);
});

test("a service knows of another only its contract", () => {
  const wrong = services.flatMap((service) =>
    wrongArrows(
      new RegExp(`^services/${service}/(?!.*\\.test\\.tsx?$|testing/)`),
      /^services\//,
      new RegExp(`^services/${service}/|^services/kit/|^services/[^/]+/contract/`),
    ),
  );
  expect(wrong).toEqual([]);
});

test("a contract has no code behind it", () => {
  const allowed =
    /\/contract\/|^services\/kit\/problem\/|^services\/kit\/identity\/public-keys\.ts|^node_modules\/(@hono\/zod-openapi|zod)\//;
  expect(wrongArrows(/^services\/[^/]+\/contract\//, /./, allowed)).toEqual([]);
});

test("a domain is pure: no rows, no HTTP, no clock, no schema library, no file and no thread", () => {
  const impure =
    /\/(store|http|jobs)\/|^services\/kit\/(database|queue|clock|egress|worker|service|client)\/|node_modules\/(kysely|hono|@hono|undici|pg-boss|zod)\/|^(node:)?(fs|net|http|https|worker_threads|child_process)(\/|$)/;
  const withoutTests = /^services\/[^/]+\/domain\/(?!.*\.test\.ts$)/;
  expect(wrongArrows(withoutTests, impure)).toEqual([]);
});

test("only stores, migrations and the kit touch rows", () => {
  const outside = /^services\/(?!kit\/)[^/]+\/(contract|domain|http)\/(?!.*\.test\.ts$)/;
  expect(wrongArrows(outside, /node_modules\/(kysely|pg|@electric-sql)\//)).toEqual([]);
});

test("ui would make sense in another product: it knows neither pages nor session nor backend", () => {
  expect(wrongArrows(/^app\/ui\//, /^app\//, /^app\/(ui|styles)\//)).toEqual([]);
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
  const fetching = modules
    .map(({ source }) => source)
    .filter(
      (source) =>
        /^services\/.*(?<!\.test)\.ts$/.test(source) && !otherFetch.test(source) && !/\/testing\//.test(source),
    )
    .filter((source) => /(?<![.\w])fetch\(/.test(readFileSync(source, "utf8")));
  // The client's `fetch` goes to addresses that the operator configured, never to a user's.
  expect(fetching).toEqual(["services/kit/client/client.ts"]);
});

test("no folder or file has a name that says nothing", () => {
  const empty = /(^|\/)(utils?|helpers?|common|misc|lib|types|index)(\/|\.tsx?$)/;
  expect(
    modules.map(({ source }) => source).filter((source) => !source.includes("node_modules") && empty.test(source)),
  ).toEqual([]);
});
