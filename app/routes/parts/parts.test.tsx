import { readdirSync } from "node:fs";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import routes from "~/routes";
import { listId } from "~/ui/filter-bar/list-id";
import { Parts } from "./page";

/** `markdown` only converts text, which `prose` displays. */
const folders = readdirSync("app/ui", { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() && entry.name !== "markdown" ? [entry.name] : [],
);

test("every folder of app/ui has its part among the parts, in both themes, and none appears twice", () => {
  for (const theme of ["light", "dark"] as const) {
    const rendered = [...renderToStaticMarkup(<Parts theme={theme} />).matchAll(/ id="(?:light|dark)-part-([^"]*)"/g)];
    expect(rendered.map(([, folder]) => folder)).toEqual(folders.sort());
  }
});

test("no id appears twice on the page", () => {
  const page = renderToStaticMarkup(
    <>
      <Parts theme="light" />
      <Parts theme="dark" />
    </>,
  );
  // Other pages have one list.
  const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id).filter((id) => id !== listId);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});

test("a build has no such page", () => {
  expect(JSON.stringify(routes)).not.toContain("routes/parts/");
});
