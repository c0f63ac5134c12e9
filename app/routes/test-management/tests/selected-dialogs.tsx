import { href } from "~/href";
import { Dialog } from "~/ui/dialog/dialog";
import { Select } from "~/ui/select/select";
import { TextField } from "~/ui/text-field/text-field";
import type { SelectionRequest } from "./selected-tests.server";

interface AskedDialogProps {
  requested: SelectionRequest;
  /** "3 tests" */
  tests: string;
  cancelHref: string;
  fields: Record<string, string>;
}

/** The dialog's form, which is separate from its text. */
const form = "dialog-form";

/** Asks which tags to add to the chosen tests or remove from them. */
export function TagDialog({ requested: { typed, error: fault }, tests, cancelHref, fields }: AskedDialogProps) {
  return (
    <Dialog
      title={`Tag ${tests}`}
      message="Existing tags are kept."
      cancelHref={cancelHref}
      fields={fields}
      actions={[
        { name: "Remove tags", value: "untag-selected", style: "secondary" },
        { name: "Add tags", value: "tag-selected" },
      ]}
    >
      <TextField
        {...{
          form,
          label: "Tags",
          name: "tags",
          defaultValue: typed,
          maxLength: 1_000,
          required: true,
          autoFocus: true,
        }}
        errors={fault ? [fault] : undefined}
        hint="Separate with commas."
      />
    </Dialog>
  );
}

/** Asks which circle to add the chosen tests to. */
export function CircleDialog({ requested, tests, cancelHref, fields }: AskedDialogProps) {
  const { circles = [], typed, error: fault } = requested;
  if (circles.length === 0) {
    return (
      <Dialog
        title="No circles yet"
        message="A circle is created with its first tests."
        cancelHref={cancelHref}
        actions={[{ name: "Create a circle", href: href("/test-management/test-circles/create") }]}
      />
    );
  }
  return (
    <Dialog
      title={`Add ${tests} to a circle`}
      message="They run after the circle's other tests. Tests already in the circle keep their position."
      cancelHref={cancelHref}
      fields={fields}
      actions={[{ name: `Add ${tests}`, value: "circle-selected" }]}
    >
      <Select
        {...{
          form,
          label: "Circle",
          name: "circle",
          defaultValue: typed,
          placeholder: "Choose a circle",
          required: true,
          autoFocus: true,
        }}
        options={circles.map(({ id, name }) => ({ value: id, label: name }))}
        errors={fault ? [fault] : undefined}
      />
    </Dialog>
  );
}
