import { expect, test } from "vitest";
import { findPage, getNavGroups, type NavGroup, navGroups } from "./nav-groups";

const labelsFor = (...scopes: string[]) =>
  getNavGroups({ may: (scope) => scopes.includes(scope) }).flatMap(({ entries: places }) =>
    places.map(({ label }) => label),
  );

test("every signed-in user finds a page in the administration", () => {
  expect(labelsFor()).toEqual(["Credentials", "Domains", "Authorization configs", "Organization"]);
  expect(labelsFor("users:manage")).toEqual([
    "Users",
    "Invitations",
    "Credentials",
    "Domains",
    "Authorization configs",
    "Organization",
    "Audit log",
  ]);
  expect(labelsFor("domains:manage")).toContain("Tracing");
  expect(labelsFor("system:manage")).toContain("System configuration");
});

test("no page is linked twice, and no group is empty", () => {
  const pages = navGroups.flatMap(({ entries: places }) => places.map(({ page }) => page));
  expect(pages).toEqual([...new Set(pages)]);
  expect(navGroups.filter(({ entries: places }) => places.length === 0)).toEqual([]);
});

test("an address belongs to the nearest page above it, compared by whole segments", () => {
  const groups = [
    {
      label: "People",
      entries: [
        { page: "/administration", label: "All", sections: ["/administration/users"] },
        { page: "/administration/credentials", label: "Credentials" },
      ],
    },
  ] satisfies NavGroup[];
  expect(findPage("/administration/users/1/edit", groups)).toBe("/administration");
  expect(findPage("/administration/credentials/1/edit", groups)).toBe("/administration/credentials");
  expect(findPage("/administration/credentials-of-others", groups)).toBe("/administration");
  expect(findPage("/dashboard", groups)).toBeUndefined();
  const people = "/administration/user-management";
  expect(findPage(`${people}/users/1/edit`, navGroups)).toBe(people);
  for (const page of ["invite", "invites/pending", "invites/1"]) {
    expect(findPage(`${people}/${page}`, navGroups)).toBe(`${people}/invites/pending`);
  }
});
