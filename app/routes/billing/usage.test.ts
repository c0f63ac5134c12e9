import { expect, test } from "vitest";
import type { Viewer } from "~/session/guards";
import type { Scope } from "../../../services/kit/contract/operation.ts";
import { measureUsage } from "./usage.server";

const limits = {
  apis: 20,
  tests: null,
  executionsPerMonth: 50_000,
  shortestIntervalSeconds: 60,
  members: 15,
  retentionDays: 90,
};

const answered = (value: unknown) => async () => ({ ok: true, status: 200, value });
const away = async () => ({ ok: false, status: 503, problem: { status: 503 } });
const scopes: Scope[] = ["apis:read", "tests:read", "users:manage"];

function viewerWith(parts: { apis?: unknown; tests?: unknown; users?: unknown; scopes?: Scope[] } = {}): Viewer {
  const held = parts.scopes ?? scopes;
  return {
    may: (scope: Scope) => held.includes(scope),
    backend: {
      apiRegistry: {
        listApis: parts.apis ?? answered({ items: [{ id: "a" }, { id: "b" }], nextCursor: null, total: 2 }),
      },
      testRegistry: {
        countTests:
          parts.tests ??
          answered({
            byApi: [
              { apiId: "a", total: 3 },
              { apiId: "b", total: 4 },
            ],
          }),
      },
      securityService: { listUsers: parts.users ?? answered({ items: [{}], nextCursor: null }) },
    },
  } as unknown as Viewer;
}

test("APIs, tests and members are counted beside their limits", async () => {
  expect(await measureUsage(viewerWith(), limits)).toEqual([
    { label: "APIs", used: 2, limit: 20 },
    { label: "Tests", used: 7, limit: null },
    { label: "Members", used: 1, limit: 15 },
  ]);
});

test("without a plan there are figures and no limits", async () => {
  expect((await measureUsage(viewerWith(), undefined)).map(({ limit }) => limit)).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test("an organization without APIs has no tests, which needs no call", async () => {
  const viewer = viewerWith({ apis: answered({ items: [], nextCursor: null, total: 0 }), tests: away });
  expect(await measureUsage(viewer, limits)).toMatchObject([{ used: 0 }, { label: "Tests", used: 0 }, {}]);
});

test("what no service tells, or the viewer may not know, is left out", async () => {
  const labels = async (viewer: Viewer) => (await measureUsage(viewer, limits)).map(({ label }) => label);
  expect(await labels(viewerWith({ tests: away }))).toEqual(["APIs", "Members"]);
  expect(await labels(viewerWith({ apis: away }))).toEqual(["Members"]);
  expect(await labels(viewerWith({ scopes: ["apis:read"] }))).toEqual(["APIs"]);
  const more = answered({ items: [{ id: "a" }], nextCursor: "more", total: 900 });
  expect(await labels(viewerWith({ apis: more }))).toEqual(["APIs", "Members"]);
});
