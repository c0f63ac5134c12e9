import { type RunTrigger, runTrigger, type Verdict } from "#contracts/test-executioner/verdicts.ts";
import { triggerWords } from "~/runs/run-words";
import { FilterBar } from "~/ui/filter-bar/filter-bar";
import { Select } from "~/ui/select/select";
import { VerdictSelect } from "~/verdict/verdict-select";

export interface RunFiltersProps {
  verdict?: Verdict;
  trigger?: RunTrigger;
  resetHref?: string;
}

export function RunFilters({ verdict, trigger, resetHref }: RunFiltersProps) {
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
