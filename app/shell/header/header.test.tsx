import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { Header } from "./header";

/** What the bar offers on a page, in its order; the sheet of small screens must offer the same. */
function itemsShown(path: string, viewerName?: string, byInvitation?: boolean): string[] {
  const markup = renderToStaticMarkup(<Header {...{ path, viewerName, byInvitation }} />);
  const [bar, sheet] = [...markup.matchAll(/<nav[^>]*>(.*?)<\/nav>/gs)].map(([, content]) =>
    [...content!.matchAll(/<(?:a|button)[^>]*>(.*?)<\/(?:a|button)>/gs)].map(([, words]) =>
      words!.replace(/<[^>]*>/g, ""),
    ),
  );
  expect(sheet).toEqual(bar);
  return bar ?? [];
}

test("a visitor is offered pricing, signing in and registering", () => {
  for (const path of ["/", "/legal", "/contact", "/create-account-individual", "/nowhere"]) {
    expect(itemsShown(path), path).toEqual(["Pricing", "Login", "Register"]);
  }
});

test("the sign-in page does not offer itself", () => {
  expect(itemsShown("/login")).toEqual(["Pricing", "Register"]);
  expect(itemsShown("/login/")).toEqual(["Pricing", "Register"]);
});

test("where one registers already, registering is not offered", () => {
  for (const path of ["/register", "/registration-type-selection", "/create-account-organization"]) {
    expect(itemsShown(path), path).toEqual(["Pricing", "Login"]);
  }
});

test("registering is not offered where accounts are by invitation only", () => {
  expect(itemsShown("/", undefined, true)).toEqual(["Pricing", "Login"]);
});

test("a viewer is offered the work, their profile by their full name, and the way out, on every page", () => {
  for (const path of ["/", "/login", "/dashboard", "/register"]) {
    expect(itemsShown(path, "Ada Lovelace"), path).toEqual(["Dashboard", "Administration", "Ada Lovelace", "Logout"]);
  }
});

test("a plan that was picked is kept on the way to signing in and to registering", () => {
  const markup = renderToStaticMarkup(
    <Header path="/create-account-individual" search="?serviceId=team" viewerName={undefined} />,
  );
  expect(markup).toMatch(/href="\/login\?redirectTo=%2Fbilling%3FserviceId%3Dteam"[^>]*>Login/);
  expect(markup).toMatch(/href="\/registration-type-selection\?serviceId=team"[^>]*>Register/);
});

test("pricing leads to its section of the start page, and registering to the choice of its kind", () => {
  const markup = renderToStaticMarkup(<Header path="/about" viewerName={undefined} />);
  expect(markup).toMatch(/href="\/#pricing"[^>]*>Pricing/);
  expect(markup).toMatch(/href="\/registration-type-selection"[^>]*>Register/);
});

test("the organization's own pages are part of its administration", () => {
  for (const path of ["/administration/domain", "/organization/single-sign-on"]) {
    const markup = renderToStaticMarkup(<Header path={path} viewerName="Ada Lovelace" />);
    expect(markup, path).toMatch(/aria-current="page">Administration/);
  }
});
