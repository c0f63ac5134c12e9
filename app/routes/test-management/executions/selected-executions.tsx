import { RunKey } from "~/features/runs/run-key";
import { islandAttributes } from "~/islands/island-attributes";
import { SelectedButton, SelectionBar } from "~/ui/selection/selection-bar";

/** The actions for the executions that are ticked in the list below. */
export function SelectedExecutions({ count, runKey }: { count: number; runKey: string }) {
  return (
    <SelectionBar
      {...{ count, one: "execution", many: "executions" }}
      alive={islandAttributes("ticked-rows")}
      hint="Select executions to run their test again in the same environment, or to cancel those that wait."
      fields={<RunKey value={runKey} />}
    >
      <SelectedButton value="again-selected" icon="play" verb="Run" rest=" again" />
      <SelectedButton value="cancel-selected" icon="close" verb="Cancel" />
    </SelectionBar>
  );
}
