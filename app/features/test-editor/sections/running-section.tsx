import { notChosen } from "~/features/locations/location-field";
import { LocationSelect } from "~/features/locations/location-select";
import { plural } from "~/ui/count/plural";
import { Select } from "~/ui/select/select";
import { TextField } from "~/ui/text-field/text-field";
import type { EditorContext } from "../editor-props.ts";
import { type EditorForm, textProps } from "./editor-form.ts";
import { EditorSection } from "./editor-section.tsx";
import { RowCells } from "./row-cells.tsx";

const backoffs = [
  { value: "fixed", label: "Constant" },
  { value: "exponential", label: "Doubled each time" },
];

/** Time-out, attempts, and where it is sent from. */
export function RunningSection({ form, context }: { form: EditorForm; context: EditorContext }) {
  const { retry, timeoutMilliseconds, locationId } = form.getFieldset();
  const { attempts, backoff, delayMilliseconds } = retry.getFieldset();
  const times = Number(attempts.value ?? 1);
  const place = context.locations?.locations.find(({ id }) => id === locationId.value)?.name;
  const isElsewhere = Boolean(locationId.value) && locationId.value !== notChosen;
  const attemptWords = Number.isInteger(times) && times > 0 ? [plural(times, "attempt")] : [];
  const brief = [...attemptWords, ...(place ? [`from ${place}`] : [])].join(", ") || undefined;
  return (
    <EditorSection
      form={form}
      id="running"
      title="Retries, time-out and location"
      brief={brief}
      holds={[retry.name, timeoutMilliseconds.name, locationId.name]}
      filled={times > 1 || isElsewhere}
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
      <LocationSelect
        choices={context.locations}
        otherwise="As its circle or environment says"
        hint="Of all runs of this test, unless a run chooses another place."
        {...textProps(locationId)}
      />
    </EditorSection>
  );
}
