import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { Pagination } from "./pagination";

test("a list of one page renders no pagination", () => {
  expect(renderToStaticMarkup(<Pagination label="Pages of tests" />)).toBe("");
});

test("only existing pages are linked", () => {
  const markup = renderToStaticMarkup(<Pagination label="Pages of tests" nextHref="?cursor=b" />);
  expect(markup.match(/<a /g)).toHaveLength(1);
  expect(markup).toMatch(/href="\?cursor=b" rel="next"/);
});
