import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { FilterBar } from "./filter-bar";

test("other parameters of the address are kept, empty ones are omitted", () => {
  const markup = renderToStaticMarkup(<FilterBar label="Filter tests" hidden={{ sort: "name", tag: undefined }} />);
  expect(markup.match(/<input[^>]*>/g)).toEqual(['<input type="hidden" name="sort" value="name"/>']);
});

test("the clear link needs an address", () => {
  expect(renderToStaticMarkup(<FilterBar label="Filter tests" />)).not.toContain("Clear");
  expect(renderToStaticMarkup(<FilterBar label="Filter tests" resetHref="?" />)).toContain("Clear");
});

test("the search field has a hidden label", () => {
  const markup = renderToStaticMarkup(
    <FilterBar label="Filter tests" search={{ label: "Search tests", defaultValue: "pet" }} />,
  );
  expect(markup).toMatch(/<label for="query"[^>]*><span[^>]*>Search tests/);
  expect(markup).toMatch(/type="search"[^>]*name="query"[^>]*value="pet"|name="query"[^>]*type="search"/);
});
