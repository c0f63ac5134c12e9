import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { ErrorSummary } from "./error-summary";

test("each error links to its field, and an error of the whole form is plain text", () => {
  const markup = renderToStaticMarkup(
    <ErrorSummary errors={[{ message: "Enter a name", fieldId: "name" }, { message: "The plan is full" }]} />,
  );
  expect(markup).toMatch(/<li><a href="#name"[^>]*>Enter a name<\/a><\/li><li>The plan is full<\/li>/);
});

test("the summary is announced and takes the focus without script", () => {
  const markup = renderToStaticMarkup(<ErrorSummary errors={[{ message: "Enter a name" }]} />);
  expect(markup).toMatch(/role="alert".*tabindex="-1".*autofocus=""/);
});

test("a form without errors has no summary", () => {
  expect(renderToStaticMarkup(<ErrorSummary errors={[]} />)).toBe("");
});
