import type { RunSummary } from "#contracts/test-executioner/runs.ts";
import { runTrigger } from "#contracts/test-executioner/verdicts.ts";
import { VerdictSelect } from "~/features/verdict/verdict-select";
import { ListPage, type ListPageProps } from "~/ui/list-page/list-page";
import { Select } from "~/ui/select/select";
import type { readRunFilters } from "./run-filters";
import { RunTable } from "./run-table";
import { triggerWords } from "./run-words";
import { TimeFilterWords } from "./time-filter-words";

export interface RunListProps
  extends Pick<ListPageProps, "title" | "description" | "lead" | "address" | "nextCursor" | "nothingYet"> {
  /** Undefined for runs of all APIs. */
  apiId: string | undefined;
  runs: readonly RunSummary[];
  filters: ReturnType<typeof readRunFilters>;
  /** Reference time of "ago". */
  now: string;
}

/** A page that lists runs, newest first, filtered by verdict and by trigger. */
export function RunList({
  title,
  description,
  lead,
  apiId,
  runs,
  filters,
  address,
  nextCursor,
  now,
  nothingYet,
}: RunListProps) {
  return (
    <ListPage
      {...{ title, description, lead, address, nextCursor, nothingYet }}
      one="run"
      many="runs"
      requested={filters}
      filters={
        <>
          <VerdictSelect value={filters.verdict} />
          <Select
            label="Started by"
            labelHidden
            name="trigger"
            defaultValue={filters.trigger ?? ""}
            options={[
              { value: "", label: "All triggers" },
              ...runTrigger.options.map((value) => ({ value, label: triggerWords[value] })),
            ]}
          />
        </>
      }
      hidden={{ from: filters.from, to: filters.to }}
      above={<TimeFilterWords {...filters} what="Runs" address={address} />}
      noMatch="No runs match."
      isEmpty={runs.length === 0}
    >
      <RunTable apiId={apiId} runs={runs} now={now} />
    </ListPage>
  );
}
