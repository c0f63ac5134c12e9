import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { Button, DefaultSubmit, LinkButton } from "./button";

test("a busy button is marked as busy and ignores presses", () => {
  expect(renderToStaticMarkup(<Button busy>Running</Button>)).toMatch(/disabled="" aria-busy="true"/);
});

test("a button with only an icon keeps its name for screen readers", () => {
  const markup = renderToStaticMarkup(
    <LinkButton href="/edit" icon="pencil" labelHidden>
      Edit
    </LinkButton>,
  );
  expect(markup).toMatch(/<svg[^>]*aria-hidden="true".*<span[^>]*>Edit<\/span>/);
});

test("the default submit button is hidden from sight, screen readers and the tab order", () => {
  const markup = renderToStaticMarkup(<DefaultSubmit name="intent" value="save" />);
  expect(markup).toMatch(/type="submit" name="intent" value="save" tabindex="-1" aria-hidden="true"/);
});
