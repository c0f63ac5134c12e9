import { type RunTrigger, runTrigger, type Verdict } from "#contracts/test-executioner/verdicts.ts";
import { triggerWords } from "~/features/runs/run-words";
import { VerdictSelect } from "~/features/verdict/verdict-select";
import { FilterBar } from "~/ui/filter-bar/filter-bar";
import { Select } from "~/ui/select/select";

export interface RunFilterBarProps {
  verdict?: Verdict;
  trigger?: RunTrigger;
  resetHref?: string;
}

export function RunFilterBar({ verdict, trigger, resetHref }: RunFilterBarProps) {
  return (
    <FilterBar label="Filter runs" resetHref={resetHref}>
      <VerdictSelect value={verdict} />
      <Select
        label="Started by"
        labelHidden
        name="trigger"
        defaultValue={trigger ?? ""}
        options={[
          { value: "", label: "All triggers" },
          ...runTrigger.options.map((value) => ({ value, label: triggerWords[value] })),
        ]}
      />
    </FilterBar>
  );
}
