import type { RunSummary } from "#contracts/test-executioner/runs.ts";
import { runTrigger } from "#contracts/test-executioner/verdicts.ts";
import { VerdictSelect } from "~/features/verdict/verdict-select";
import { listAddress } from "~/ui/list-page/list-address";
import { ListPage, type ListPageProps } from "~/ui/list-page/list-page";
import { SortNote } from "~/ui/list-page/sort-note";
import { Select } from "~/ui/select/select";
import { readTicked } from "~/ui/selection/selected-field";
import { SelectedButton, SelectionBar } from "~/ui/selection/selection-bar";
import { RepetitionDialog } from "./repetition-dialog";
import type { readRunFilters } from "./run-filters";
import { RunKey } from "./run-key";
import { RunTable } from "./run-table";
import { triggerWords } from "./run-words";
import type { RepetitionQuestion } from "./selected-runs.server";
import { TimeFilterWords } from "./time-filter-words";

export interface RunListProps
  extends Pick<ListPageProps, "title" | "description" | "lead" | "address" | "nextCursor" | "nothingYet"> {
  /** Undefined for runs of all APIs. */
  apiId: string | undefined;
  runs: readonly RunSummary[];
  filters: ReturnType<typeof readRunFilters>;
  /** Reference time of "ago". */
  now: string;
  selection: RunSelection;
}

export interface RunSelection {
  mayRun: boolean;
  runKey: string;
  /** The question about the ticked runs. */
  requested: RepetitionQuestion | undefined;
  /** Attributes of the island that ticks several runs at once. */
  alive: object;
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
  selection: { mayRun, runKey, requested, alive },
}: RunListProps) {
  const { sort, ...narrowing } = filters;
  const ticked = requested?.ids ?? readTicked(address);
  return (
    <>
      <ListPage
        {...{ title, description, lead, address, nextCursor, nothingYet }}
        one="run"
        many="runs"
        requested={narrowing}
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
        hidden={{ sort, from: filters.from, to: filters.to }}
        above={<TimeFilterWords {...filters} what="Runs" address={address} />}
        noMatch="No runs match."
        isEmpty={runs.length === 0}
      >
        {mayRun && (
          <SelectionBar
            {...{ count: runs.length, one: "run", many: "runs", alive }}
            hint="Select runs to cancel or repeat them together, or two to compare them."
            fields={<RunKey value={runKey} />}
          >
            <SelectedButton value="again-selected" icon="play" verb="Run" rest=" again" />
            <SelectedButton value="cancel-selected" icon="close" verb="Cancel" />
            <SelectedButton value="compare-selected" verb="Compare" />
          </SelectionBar>
        )}
        <RunTable {...{ apiId, runs, now }} sorting={{ address, sort }} ticked={mayRun ? ticked : undefined} />
        {(sort === "verdict" || sort === "-verdict") && (
          <SortNote reset={listAddress(address, { sort: undefined })}>
            Runs without a verdict are not in this order.
          </SortNote>
        )}
      </ListPage>
      {requested && (
        <RepetitionDialog
          {...{ requested, runKey }}
          cancelHref={listAddress(address, { cursor: filters.cursor, ticked: ticked.join(",") })}
        />
      )}
    </>
  );
}
