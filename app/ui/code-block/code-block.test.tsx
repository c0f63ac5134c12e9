import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { CodeBlock } from "./code-block";

test("line numbers start at the given one and can be linked to", () => {
  const markup = renderToStaticMarkup(<CodeBlock id="file" label="pets.yaml" code={"a: 1\r\nb: 2\n"} firstLine={14} />);
  expect(markup.match(/id="file-line-\d+"/g)).toEqual(['id="file-line-14"', 'id="file-line-15"']);
});

test("a marked line carries its reason", () => {
  const marks = [{ line: 2, tone: "danger", note: "unknown name" } as const];
  const markup = renderToStaticMarkup(<CodeBlock id="file" label="pets.yaml" code={"a: 1\nb: 2"} marks={marks} />);
  expect(markup).toMatch(/data-line="2".*b: 2.*unknown name/s);
});

test("a scrollable block is focusable and has a name", () => {
  const markup = renderToStaticMarkup(<CodeBlock label="curl" labelHidden code="curl /pets" />);
  expect(markup).toMatch(/<pre role="group" aria-label="curl" tabindex="0"/);
});

test("the copy button is hidden until script shows it", () => {
  const markup = renderToStaticMarkup(<CodeBlock id="curl" label="curl" code="curl /pets" copy />);
  expect(markup).toMatch(/<button(?=[^>]*hidden="")(?=[^>]*data-copy="curl-text")/);
});

test("code is never markup", () => {
  expect(renderToStaticMarkup(<CodeBlock label="body" code="<script>" />)).not.toContain("<script>");
});
