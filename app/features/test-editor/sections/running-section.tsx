import { plural } from "~/ui/count/plural";
import { Select } from "~/ui/select/select";
import { TextField } from "~/ui/text-field/text-field";
import { type EditorForm, textProps } from "./editor-form.ts";
import { EditorSection } from "./editor-section.tsx";
import { RowCells } from "./row-cells.tsx";

const backoffs = [
  { value: "fixed", label: "Constant" },
  { value: "exponential", label: "Doubled each time" },
];

/** Timeout and attempts. */
export function RunningSection({ form }: { form: EditorForm }) {
  const { retry, timeoutMilliseconds } = form.getFieldset();
  const { attempts, backoff, delayMilliseconds } = retry.getFieldset();
  const times = Number(attempts.value ?? 1);
  const brief = Number.isInteger(times) && times > 0 ? plural(times, "attempt") : undefined;
  return (
    <EditorSection
      form={form}
      id="running"
      title="Retries and time-out"
      brief={brief}
      holds={[retry.name, timeoutMilliseconds.name]}
      filled={times > 1}
    >
      <TextField
        label="Time-out"
        hint="In milliseconds, for one attempt with all its redirects; at most 120,000."
        inputMode="numeric"
        width="short"
        after="ms"
        {...textProps(timeoutMilliseconds)}
      />
      <RowCells look="three">
        <TextField label="Attempts in all" inputMode="numeric" {...textProps(attempts)} />
        <TextField label="Pause before the next (ms)" inputMode="numeric" {...textProps(delayMilliseconds)} />
        <Select label="Further pauses" options={backoffs} {...textProps(backoff)} />
      </RowCells>
      <p>
        <small>With more than one attempt, a test that passes on a later one is called flaky.</small>
      </p>
    </EditorSection>
  );
}
