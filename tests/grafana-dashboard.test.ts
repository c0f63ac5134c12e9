import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type HandledServices, openHandledServices } from "./support/handled-services.ts";

interface Panel {
  id: number;
  type: string;
  gridPos: { x: number; y: number; w: number; h: number };
  datasource?: { type: string; uid: string };
  targets?: { expr: string; datasource: { uid: string } }[];
}

const dashboard = JSON.parse(
  readFileSync(new URL("../integrations/grafana/dashboard.json", import.meta.url), "utf8"),
) as {
  panels: Panel[];
  templating: { list: { name: string; type: string; query: string | { query: string } }[] };
};
const chosen = ["$", "{datasource}"].join("");
const queries = [
  ...dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
  ...dashboard.templating.list.flatMap(({ query }) => (typeof query === "string" ? [] : [query.query])),
];

let services: HandledServices;
beforeAll(async () => {
  services = await openHandledServices();
});
afterAll(() => services.stop());

/** Names of samples by their family's type (OpenMetrics 1.0). */
const endings: Record<string, string[]> = {
  counter: ["_total"],
  histogram: ["_bucket", "_count", "_sum"],
  gauge: [""],
  summary: [""],
};

test("each metric of the dashboard is reported, and each of its variables and panels is usable", async () => {
  const text = await services.readMetrics();
  const reported = new Set(
    [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name, type]) =>
      endings[type!]!.map((ending) => `${name}${ending}`),
    ),
  );
  const metrics = queries.flatMap((query) =>
    [...query.matchAll(/\b([a-z][a-z0-9_]*)(?=\{|, [a-z_]+\)$)/g)].map(([, name]) => name!),
  );
  expect(metrics.length).toBeGreaterThan(queries.length - 1);
  expect([...new Set(metrics)].filter((name) => !reported.has(name))).toEqual([]);

  const variables = new Set(dashboard.templating.list.map(({ name }) => name));
  const used = JSON.stringify(dashboard).matchAll(/\$\{?([a-z][a-z_]*)/g);
  expect([...used].map(([, name]) => name!).filter((name) => !variables.has(name))).toEqual([]);
  const ids = dashboard.panels.map(({ id }) => id);
  expect(ids).toEqual([...new Set(ids)]);
  for (const { type, targets = [], datasource, gridPos } of dashboard.panels) {
    expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24);
    if (type === "row") continue;
    expect(targets.length).toBeGreaterThan(0);
    expect([datasource, ...targets.map((target) => target.datasource)].every((one) => one?.uid === chosen)).toBe(true);
  }
});
