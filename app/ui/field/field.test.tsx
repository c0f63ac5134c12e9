import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { TextField } from "~/ui/text-field/text-field";
import { fieldAttributes } from "./field-attributes";

test("a control references its hint and its error, in that order, and no absent element", () => {
  const described = (changes: object) =>
    fieldAttributes({ label: "Name", name: "name", ...changes })["aria-describedby"];
  expect(described({ hint: "As on your card", errors: ["Enter a name"] })).toBe("name-description name-error");
  expect(described({ errors: ["Enter a name"] })).toBe("name-error");
  expect(described({ errors: [] })).toBeUndefined();
});

test("a description given by the caller is kept and never repeated", () => {
  const props = { label: "Name", name: "name", errors: ["Enter a name"] };
  expect(fieldAttributes(props, "plan name-error")["aria-describedby"]).toBe("plan name-error");
});

test("two fields of one name are distinguished by id", () => {
  expect(fieldAttributes({ label: "Name", name: "name", id: "second-name" })).toMatchObject({
    id: "second-name",
    name: "name",
  });
});

test("the error is next to the field, which is marked invalid and keeps its value", () => {
  const markup = renderToStaticMarkup(
    <TextField label="Name" name="name" defaultValue="Ann" errors={["Too short"]} required />,
  );
  expect(markup).toContain('aria-invalid="true"');
  expect(markup).toContain('value="Ann"');
  expect(markup).toMatch(/id="name-error".*Error: .*Too short/);
});

test("only a field with required={false} is marked optional", () => {
  expect(renderToStaticMarkup(<TextField label="Name" name="name" required={false} />)).toContain("(optional)");
  expect(renderToStaticMarkup(<TextField label="Name" name="name" />)).not.toContain("(optional)");
});
