import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { Dialog } from "./dialog";

test("without any setting it is called Dialog, says Default Message and offers Cancel", () => {
  const markup = renderToStaticMarkup(<Dialog />);
  expect(markup).toMatch(/>Dialog<\/h2>.*>Default Message<\/p>.*>Cancel<\/button>/);
});

test("Cancel closes without script, holds the focus, and is left out on demand", () => {
  expect(renderToStaticMarkup(<Dialog />)).toMatch(/<form method="dialog"><button[^>]*autofocus=""[^>]*>Cancel/);
  expect(renderToStaticMarkup(<Dialog cancelShow={false} />)).not.toContain("Cancel");
});

test("an action sends the form with what it was given, and one with an address is a link", () => {
  const markup = renderToStaticMarkup(
    <Dialog
      action="/pets"
      fields={{ petId: "7" }}
      actions={[
        { name: "Delete", icon: "trash", style: "danger", value: "delete" },
        { name: "Show", href: "/pets/7" },
      ]}
    />,
  );
  expect(markup).toMatch(
    /<form id="dialog-form" method="post" action="\/pets" hidden=""><input[^>]*name="petId" value="7"/,
  );
  expect(markup).toMatch(/<button(?=[^>]*form="dialog-form")(?=[^>]*name="intent")(?=[^>]*value="delete")/);
  expect(markup).toMatch(/<a href="\/pets\/7"/);
});

test("it is an alert dialog named and described by what it says", () => {
  const markup = renderToStaticMarkup(<Dialog id="ask" title="Delete?" />);
  expect(markup).toMatch(/role="alertdialog".*aria-labelledby="ask-title" aria-describedby="ask-message"/);
});
