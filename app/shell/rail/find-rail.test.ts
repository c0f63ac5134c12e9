import { expect, test } from "vitest";
import { sections } from "~/features/navigation/sections";
import type { ApiContext } from "~/shell/api-header/find-api-header.server";
import { findRail, type RailPlace } from "./find-rail";

const api = { api: { id: "a", name: "Bookshop" }, testCount: 48, circleCount: 2 } as ApiContext;
const reader = ["apis:read", "tests:read"];

/** The labels of a rail in order, the current one in brackets. */
function labelsAt(path: string, place: Partial<RailPlace> = {}): string[] {
  const rail = findRail({ path, scopes: reader, ...place });
  return rail.sections.flatMap(({ label, item, groups }) => [
    ...(item ? [item.current ? `[${item.label}]` : item.label] : [`${label}:`]),
    ...groups.flatMap(({ items }) => items.map(({ label, current }) => (current ? `[${label}]` : label))),
  ]);
}

/** The label of the one current entry, and how it is current. */
function currentAt(path: string, place: Partial<RailPlace> = {}): (string | undefined)[] {
  const { sections } = findRail({ path, scopes: [...reader, "users:manage", "billing:manage"], ...place });
  const all = sections.flatMap(({ item, groups }) => [
    ...(item ? [item] : []),
    ...groups.flatMap(({ items }) => items),
  ]);
  return all.filter(({ current }) => current).flatMap(({ label, current }) => [label, current]);
}

test("the rail has the sections, of which the current one is opened", () => {
  const closed = ["APIs", "Circles", "Incidents", "Schedules", "Alerts", "Administration"];
  expect(labelsAt("/dashboard")).toEqual(["[Dashboard]", ...closed]);
  expect(labelsAt("/test-management/incidents")).toEqual([
    ...["Dashboard", "APIs", "Circles", "[Incidents]", "Failing tests", "Certificates"],
    ...["Schedules", "Alerts", "Administration"],
  ]);
  expect(labelsAt("/test-management/alert-channels")).toEqual([
    ...["Dashboard", "APIs", "Circles", "Incidents", "Schedules"],
    ...["Alerts:", "Alert rules", "[Alert channels]", "Administration"],
  ]);
  expect(labelsAt("/nowhere")).toEqual(["Dashboard", ...closed]);
});

test("within an API its pages are listed under its name, at both of its addresses", () => {
  const pages = ["Overview", "Tests", "Runs", "Circles", "Reference", "Settings"];
  for (const [path, current] of [
    ["/test-management/a/tests", "Tests"],
    ["/api-management/a/swagger", "Reference"],
  ] as const) {
    const labels = labelsAt(path, { api });
    expect(labels).toEqual(
      ["Dashboard", "APIs", ...pages.map((page) => (page === current ? `[${page}]` : page)), "Circles"].concat([
        ...["Incidents", "Schedules", "Alerts", "Administration"],
      ]),
    );
  }
  const { sections } = findRail({ path: "/test-management/a/runs", scopes: reader, api });
  const [group] = sections.find(({ isOpen }) => isOpen)!.groups;
  expect(group!.label).toBe("Bookshop");
  expect(group!.items.map(({ count }) => count)).toEqual([undefined, 48, undefined, 2, undefined, undefined]);
});

test("a page below another one marks that, and no page marks two", () => {
  expect(currentAt("/test-management/a/tests/t/edit", { api })).toEqual(["Tests", "true"]);
  expect(currentAt("/test-management/a/explorations/e", { api })).toEqual(["Tests", "true"]);
  expect(currentAt("/test-management/a/marks", { api })).toEqual(["Overview", "true"]);
  expect(currentAt("/test-management/a/test-circles/c/edit", { api })).toEqual(["Circles", "true"]);
  expect(currentAt("/api-management/a/dependencies", { api })).toEqual(["Settings", "true"]);
  expect(currentAt("/api-management/register")).toEqual(["APIs", "true"]);
  expect(currentAt("/test-management/test-circles/create")).toEqual(["Circles", "true"]);
  expect(currentAt("/test-management/incidents/i")).toEqual(["Incidents", "true"]);
  expect(currentAt("/subscriptions/s/plan")).toEqual(["Billing", "true"]);
  expect(currentAt("/profile/name")).toEqual(["Account", "true"]);
  const people = "/administration/user-management";
  expect(currentAt(`${people}/users/1/edit`)).toEqual(["Users", "true"]);
  for (const page of ["invite", "invites/1"]) expect(currentAt(`${people}/${page}`)).toEqual(["Invitations", "true"]);
  expect(currentAt(`${people}/invites/pending`)).toEqual(["Invitations", "page"]);
});

test("addresses are compared by whole segments", () => {
  expect(currentAt("/administration/credentials-of-others")).toEqual([]);
  expect(currentAt("/administration/credentials/1/edit")).toEqual(["Credentials", "true"]);
});

test("every signed-in user finds a page in the administration, and none that would be refused", () => {
  const within = (...scopes: string[]) =>
    findRail({ path: "/administration/credentials", scopes })
      .sections.find(({ isOpen }) => isOpen)!
      .groups.flatMap(({ items }) => items.map(({ label }) => label));
  const open = ["Credentials", "Domains", "Authorization configs", "Organization"];
  expect(within()).toEqual(open);
  expect(within("users:manage")).toEqual(["Users", "Invitations", ...open, "Audit log"]);
  expect(within("domains:manage")).toContain("Tracing");
  expect(within("billing:manage")).toContain("Billing");
  expect(within("system:manage")).toContain("System configuration");
  expect(labelsAt("/dashboard", { scopes: [] })).toEqual(["[Dashboard]", "Administration"]);
});

test("in an area small screens display its pages and one way up", () => {
  const upAt = (path: string, place: Partial<RailPlace> = {}) => {
    const { isArea, sections } = findRail({ path, scopes: reader, ...place });
    return [isArea, ...sections.filter(({ isUp }) => isUp).map(({ label }) => label)];
  };
  expect(upAt("/test-management/a/runs", { api })).toEqual([true, "APIs"]);
  expect(upAt("/administration/credentials")).toEqual([true, "Dashboard"]);
  expect(upAt("/profile/password")).toEqual([true, "Dashboard"]);
  expect(upAt("/test-management/incidents")).toEqual([false]);
});

test("open invitations are counted beside their link, and not where there are none", () => {
  const countOf = (openInvitations: number) =>
    findRail({ path: "/organization", scopes: ["users:manage"], counts: { openInvitations } })
      .sections.flatMap(({ groups }) => groups.flatMap(({ items }) => items))
      .find(({ label }) => label === "Invitations")!.count;
  expect([countOf(3), countOf(0)]).toEqual([3, undefined]);
});

test("open incidents are counted beside their section on every page", () => {
  const incidentsAt = (path: string, openIncidents?: number) =>
    findRail({ path, scopes: reader, counts: { openIncidents } }).sections.find(({ label }) => label === "Incidents")!
      .item;
  expect(incidentsAt("/dashboard", 3)).toMatchObject({ count: 3, countWords: "open" });
  expect(incidentsAt("/test-management/incidents", 3)).toMatchObject({ count: 3, current: "page" });
  expect([incidentsAt("/dashboard", 0)!.count, incidentsAt("/dashboard")!.count]).toEqual([undefined, undefined]);
});

test("no page is linked twice", () => {
  const pages = sections.flatMap(({ own, groups = [] }) => [
    ...(own ? [own.page] : []),
    ...groups.flatMap(({ pages }) => pages.map(({ page }) => page)),
  ]);
  expect(pages).toEqual([...new Set(pages)]);
});
