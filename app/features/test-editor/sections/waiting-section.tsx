import { TextField } from "~/ui/text-field/text-field";
import { type EditorForm, textProps } from "./editor-form.ts";
import { EditorSection } from "./editor-section.tsx";
import { RowCells } from "./row-cells.tsx";

/** How often and how long to try until the assertions and checks hold. */
export function WaitingSection({ form }: { form: EditorForm }) {
  const { waitUntil } = form.getFieldset();
  const { everySeconds, atMostSeconds } = waitUntil.getFieldset();
  const longest = atMostSeconds.value?.trim();
  return (
    <EditorSection
      form={form}
      id="waiting"
      title="Wait until it passes"
      brief={longest ? `at most ${longest} s` : "Off"}
      description="The request is repeated until all assertions and checks pass. Passing late counts as passed, not flaky. Leave both fields empty to send it once."
      holds={[waitUntil.name]}
      filled={Boolean(everySeconds.value?.trim() || longest)}
    >
      <RowCells look="two">
        <TextField
          label="Pause between tries (s)"
          hint="From 0.1 to 60."
          required={false}
          inputMode="decimal"
          {...textProps(everySeconds)}
        />
        <TextField
          label="Longest wait (s)"
          hint="From 1 to 300. No try starts later."
          required={false}
          inputMode="decimal"
          {...textProps(atMostSeconds)}
        />
      </RowCells>
    </EditorSection>
  );
}
