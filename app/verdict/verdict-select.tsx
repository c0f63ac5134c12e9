import { Select } from "~/ui/select/select";
import { verdicts } from "../../services/test-executioner/contract/verdicts.ts";
import { standingWords } from "./verdict-words";

/** Keeps what ended with one verdict; within a filter bar. */
export function VerdictSelect({ value }: { value: string | undefined }) {
  return (
    <Select
      label="Verdict"
      labelHidden
      name="verdict"
      defaultValue={value ?? ""}
      options={[
        { value: "", label: "All verdicts" },
        ...verdicts.map((verdict) => ({ value: verdict, label: standingWords[verdict].word })),
      ]}
    />
  );
}
