import { Card } from "~/ui/card/card";
import { Checkbox } from "~/ui/checkbox/checkbox";
import { Stack } from "~/ui/layout/layout";
import { TextField } from "~/ui/text-field/text-field";
import { type EditorForm, textProps, tickProps } from "./editor-form.ts";
import { RowCells } from "./row-cells.tsx";

/** What the test is called and whether it takes part. */
export function BasicsSection({ form }: { form: EditorForm }) {
  const { name, tags, enabled } = form.getFieldset();
  return (
    <Card title="Test" id="basics">
      <Stack gap="medium">
        <RowCells look="two">
          <TextField label="Name" maxLength={300} {...textProps(name)} />
          <TextField label="Tags, separated by commas" placeholder="smoke, nightly" {...textProps(tags)} />
        </RowCells>
        <Checkbox
          label="Enabled"
          hint="A disabled test runs only when it is asked for by itself."
          {...tickProps(enabled)}
        />
      </Stack>
    </Card>
  );
}
