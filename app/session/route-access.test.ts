import type { RouteConfigEntry } from "@remix-run/route-config";
import { expect, test } from "vitest";
import routes from "../routes";
import { accessNeeded, routeAccess } from "./route-access";

function getPaths(entries: RouteConfigEntry[], parent = ""): string[] {
  return entries.flatMap(({ path, children = [] }) => {
    const own = path ? `${parent}/${path}` : parent;
    return [own || "/", ...getPaths(children, own)];
  });
}

const needed = (path: string, method = "GET") => accessNeeded({ url: `https://portal.test${path}`, method });

test("every page has an access rule, and every rule has its page", async () => {
  const declared = new Set(getPaths(await routes));
  expect(Object.keys(routeAccess).sort()).toEqual([...declared].sort());
});

test("the access of an address is that of its page, whatever its case, encoding or trailing slash", () => {
  expect(needed("/test-management/select-api")).toBe("tests:read");
  expect(needed("/Test-Management/Select-API/")).toBe("tests:read");
  expect(needed("/test-management/some-api/tests/create/%2Fbooks/post")).toBe("tests:write");
  expect(needed("/test-management/some-api/tests/make")).toBe("tests:write");
  expect(needed("/%61pi-management/register")).toBe("apis:write");
});

test("sending a form may need more than viewing it", () => {
  expect(needed("/api-management/a/details")).toBe("apis:read");
  expect(needed("/api-management/a/details", "POST")).toBe("apis:write");
  expect(needed("/api-management/a/details", "DELETE")).toBe("apis:write");
  expect(needed("/api-management/a/details", "HEAD")).toBe("apis:read");
});

test("an unknown address is public: its page says so", () => {
  expect(needed("/nowhere/at/all")).toBe("public");
});
