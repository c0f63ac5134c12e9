import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { Toast } from "./toast";

test("a danger is an alert, anything else is announced politely", () => {
  expect(renderToStaticMarkup(<Toast id="a" message="No" variant="danger" />)).toContain('role="alert"');
  expect(renderToStaticMarkup(<Toast id="a" message="Saved" variant="success" />)).toContain('role="status"');
});

test("it says just now and can be closed without script", () => {
  const markup = renderToStaticMarkup(<Toast id="a" message="Saved" />);
  expect(markup).toContain("just now");
  expect(markup).toMatch(/<dialog open="".*<form method="dialog"><button.*Close/);
});

test("an action without an address closes the toast", () => {
  const markup = renderToStaticMarkup(<Toast id="a" title="Error" message="No" actions={[{ name: "Ok" }]} />);
  expect(markup).toMatch(/<form method="dialog"[^>]*><button[^>]*>Ok<\/button>/);
});

test("it is named by its title, or without one by its message", () => {
  expect(renderToStaticMarkup(<Toast id="a" title="Error" message="No" />)).toMatch(/<p id="a-title"[^>]*>Error</);
  expect(renderToStaticMarkup(<Toast id="a" message="No" />)).toMatch(/<p id="a-message"[^>]*>No</);
});
