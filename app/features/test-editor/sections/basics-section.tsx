import { Checkbox } from "~/ui/checkbox/checkbox";
import { TextField } from "~/ui/text-field/text-field";
import * as styles from "./basics-section.css";
import { type EditorForm, textProps, tickProps } from "./editor-form.ts";

/** Name of the test and whether it is enabled. */
export function BasicsSection({ form }: { form: EditorForm }) {
  const { name, tags, enabled } = form.getFieldset();
  return (
    <div className={styles.basics}>
      <TextField label="Name" maxLength={300} {...textProps(name)} />
      <TextField label="Tags, separated by commas" placeholder="smoke, nightly" {...textProps(tags)} />
      <Checkbox
        label="Enabled"
        hint="Disabled tests run only when started individually."
        className={styles.whole}
        {...tickProps(enabled)}
      />
    </div>
  );
}
