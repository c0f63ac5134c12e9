import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { Dialog } from "./dialog";

test("without props it is named Dialog, has the text Default Message and a Cancel button", () => {
  const markup = renderToStaticMarkup(<Dialog />);
  expect(markup).toMatch(/>Dialog<\/h2>.*>Default Message<\/p>.*>Cancel<\/button>/);
});

test("Cancel closes without script, has the focus, and can be left out", () => {
  expect(renderToStaticMarkup(<Dialog />)).toMatch(/<form method="dialog"><button[^>]*autofocus=""[^>]*>Cancel/);
  expect(renderToStaticMarkup(<Dialog cancelShow={false} />)).not.toContain("Cancel");
});

test("an action submits the form with its value, and one with an address is a link", () => {
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

test("it is an alert dialog named and described by its texts", () => {
  const markup = renderToStaticMarkup(<Dialog id="ask" title="Delete?" />);
  expect(markup).toMatch(/role="alertdialog".*aria-labelledby="ask-title" aria-describedby="ask-message"/);
});
