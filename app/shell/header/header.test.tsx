import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { Header } from "./header";

/** The items of the bar in order; the sheet of small screens must have the same. */
function itemsDisplayed(path: string, viewerName?: string, byInvitation?: boolean): string[] {
  const markup = renderToStaticMarkup(<Header {...{ path, viewerName, byInvitation }} />);
  const [bar, sheet] = [...markup.matchAll(/<nav[^>]*>(.*?)<\/nav>/gs)].map(([, content]) =>
    [...content!.matchAll(/<(?:a|button)[^>]*>(.*?)<\/(?:a|button)>/gs)].map(([, words]) =>
      words!.replace(/<[^>]*>/g, ""),
    ),
  );
  expect(sheet).toEqual(bar);
  return bar ?? [];
}

test("a visitor sees pricing, sign-in and registration", () => {
  for (const path of ["/", "/legal", "/contact", "/create-account-individual", "/nowhere"]) {
    expect(itemsDisplayed(path), path).toEqual(["Pricing", "Login", "Register"]);
  }
});

test("the sign-in page has no link to itself", () => {
  expect(itemsDisplayed("/login")).toEqual(["Pricing", "Register"]);
  expect(itemsDisplayed("/login/")).toEqual(["Pricing", "Register"]);
});

test("the registration pages have no link to registration", () => {
  for (const path of ["/register", "/registration-type-selection", "/create-account-organization"]) {
    expect(itemsDisplayed(path), path).toEqual(["Pricing", "Login"]);
  }
});

test("registration is not offered where accounts are by invitation only", () => {
  expect(itemsDisplayed("/", undefined, true)).toEqual(["Pricing", "Login"]);
});

test("a viewer sees the workspace, their profile by their full name, and sign-out, on every page", () => {
  for (const path of ["/", "/login", "/dashboard", "/register"]) {
    expect(itemsDisplayed(path, "Ada Lovelace"), path).toEqual([
      "Dashboard",
      "Administration",
      "Ada Lovelace",
      "Logout",
    ]);
  }
});

test("a picked plan is kept on the way to sign-in and to registration", () => {
  const markup = renderToStaticMarkup(
    <Header path="/create-account-individual" search="?serviceId=team" viewerName={undefined} />,
  );
  expect(markup).toMatch(/href="\/login\?redirectTo=%2Fbilling%3FserviceId%3Dteam"[^>]*>Login/);
  expect(markup).toMatch(/href="\/registration-type-selection\?serviceId=team"[^>]*>Register/);
});

test("pricing links to its section of the start page, and registration to the choice of its kind", () => {
  const markup = renderToStaticMarkup(<Header path="/about" viewerName={undefined} />);
  expect(markup).toMatch(/href="\/#pricing"[^>]*>Pricing/);
  expect(markup).toMatch(/href="\/registration-type-selection"[^>]*>Register/);
});

test("the organization's pages are part of its administration", () => {
  for (const path of ["/administration/domain", "/organization/single-sign-on"]) {
    const markup = renderToStaticMarkup(<Header path={path} viewerName="Ada Lovelace" />);
    expect(markup, path).toMatch(/aria-current="page">Administration/);
  }
});
