import { verdicts } from "#contracts/test-executioner/verdicts.ts";
import { Select } from "~/ui/select/select";
import { statusWords } from "./verdict-words";

/** Filters by one verdict; within a filter bar. */
export function VerdictSelect({ value }: { value: string | undefined }) {
  return (
    <Select
      label="Verdict"
      labelHidden
      name="verdict"
      defaultValue={value ?? ""}
      options={[
        { value: "", label: "All verdicts" },
        ...verdicts.map((verdict) => ({ value: verdict, label: statusWords[verdict].word })),
      ]}
    />
  );
}
