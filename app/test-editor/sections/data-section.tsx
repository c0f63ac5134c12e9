import { Card } from "~/ui/card/card";
import { TextArea } from "~/ui/text-area/text-area";
import { type EditorForm, textProps } from "./editor-form.ts";

/** Values to repeat the test with. */
export function DataSection({ form }: { form: EditorForm }) {
  return (
    <Card
      title="Rows of values"
      description="The test runs once for each row, with its values as {{variables}}."
      id="rows"
    >
      <TextArea
        label="Rows as CSV"
        required={false}
        code
        rows={4}
        placeholder={"user,age\nTom,3\nAnn,41"}
        hint="The first line names the variables. A JSON list of objects is read too."
        {...textProps(form.getFieldset().data)}
      />
    </Card>
  );
}
