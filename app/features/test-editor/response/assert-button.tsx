import { Button } from "~/ui/button/button";
import { VisuallyHidden } from "~/ui/visually-hidden/visually-hidden";
import type { EditorForm } from "../sections/editor-form.ts";
import { assertionInWords } from "../suggested-assertion.ts";
import type { AssertionRow } from "../test-form-values.ts";

export interface AssertButtonProps {
  form: EditorForm;
  assertion: AssertionRow;
}

/** Adds an assertion to the form. */
export function AssertButton({ form, assertion }: AssertButtonProps) {
  const words = assertionInWords(assertion);
  return (
    <Button
      {...form.insert.getButtonProps({ name: form.getFieldset().assertions.name, defaultValue: assertion })}
      data-asserts={words}
      size="small"
      variant="quiet"
      icon="plus"
      title={`Assert: ${words}`}
    >
      Assert<VisuallyHidden>: {words}</VisuallyHidden>
    </Button>
  );
}
