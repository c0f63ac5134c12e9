import { Card } from "~/ui/card/card";
import { Stack } from "~/ui/layout/layout";
import { CheckboxGroup } from "~/ui/radio-group/radio-group";
import { TextField } from "~/ui/text-field/text-field";
import { checkWords } from "../check-words.ts";
import * as styles from "./checks-section.css";
import { type EditorForm, textProps } from "./editor-form.ts";

const options = Object.entries(checkWords).map(([value, { label, explanation }]) => ({
  value,
  label,
  hint: explanation,
}));

/** Contract checks: what the document promises, without writing assertions. */
export function ChecksSection({ form }: { form: EditorForm }) {
  const { checks, maximumResponseMilliseconds } = form.getFieldset();
  const { initialValue } = checks;
  return (
    <Card title="Checks" description="What the document promises, looked after without assertions." id="checks-card">
      <Stack gap="large">
        <CheckboxGroup
          label="Checks"
          labelHidden
          name={checks.name}
          id={checks.id}
          errors={checks.errors}
          options={options}
          defaultValue={(Array.isArray(initialValue) ? initialValue : [initialValue]).filter(
            (name): name is string => typeof name === "string",
          )}
          className={styles.columns}
        />
        <TextField
          label="Longest response time"
          inputMode="numeric"
          width="short"
          after="ms"
          hint="In milliseconds, for “Answers in time”."
          {...textProps(maximumResponseMilliseconds)}
        />
      </Stack>
    </Card>
  );
}
