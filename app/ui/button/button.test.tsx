import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { Button, DefaultSubmit, LinkButton } from "./button";

test("a busy button says so and takes no further press", () => {
  expect(renderToStaticMarkup(<Button busy>Running</Button>)).toMatch(/disabled="" aria-busy="true"/);
});

test("an icon alone keeps its name for screen readers", () => {
  const markup = renderToStaticMarkup(
    <LinkButton href="/edit" icon="pencil" labelHidden>
      Edit
    </LinkButton>,
  );
  expect(markup).toMatch(/<svg[^>]*aria-hidden="true".*<span[^>]*>Edit<\/span>/);
});

test("the button the Enter key presses is out of sight, of hearing and of the tab order", () => {
  const markup = renderToStaticMarkup(<DefaultSubmit name="intent" value="save" />);
  expect(markup).toMatch(/type="submit" name="intent" value="save" tabindex="-1" aria-hidden="true"/);
});
