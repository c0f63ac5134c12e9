import { CheckboxGroup } from "~/ui/radio-group/radio-group";
import { TextField } from "~/ui/text-field/text-field";
import { checkWords } from "../check-words.ts";
import * as styles from "./checks-section.css";
import { type EditorForm, textProps } from "./editor-form.ts";
import { EditorSection } from "./editor-section.tsx";

const options = Object.entries(checkWords).map(([value, { label, explanation }]) => ({
  value,
  label,
  hint: explanation,
}));

/** Contract checks: verify the document's promises without assertions. */
export function ChecksSection({ form }: { form: EditorForm }) {
  const { checks, maximumResponseMilliseconds } = form.getFieldset();
  const chosen = namesIn(checks.value);
  return (
    <EditorSection
      form={form}
      id="checks-card"
      title="Checks"
      count={chosen.length}
      brief={
        options
          .filter(({ value }) => chosen.includes(value))
          .map(({ label }) => label)
          .join(", ") || "None"
      }
      description="Conformance to the document, checked without assertions."
      holds={[checks.name, maximumResponseMilliseconds.name]}
      filled={false}
    >
      <CheckboxGroup
        label="Checks"
        labelHidden
        name={checks.name}
        id={checks.id}
        errors={checks.errors}
        options={options}
        defaultValue={namesIn(checks.initialValue)}
        className={styles.columns}
      />
      <TextField
        label="Longest response time"
        inputMode="numeric"
        width="short"
        after="ms"
        hint="In milliseconds, for “Response time”."
        {...textProps(maximumResponseMilliseconds)}
      />
    </EditorSection>
  );
}

/** conform returns a single ticked box as a string instead of a list. */
function namesIn(value: unknown): string[] {
  return (Array.isArray(value) ? value : [value]).filter((name): name is string => typeof name === "string");
}
