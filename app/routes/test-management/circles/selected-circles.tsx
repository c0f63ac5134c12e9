import type { LocationChoices } from "~/features/locations/location-choices.server";
import { RunFromSelect } from "~/features/locations/run-from";
import { RunKey } from "~/features/runs/run-key";
import { islandAttributes } from "~/islands/island-attributes";
import { plural } from "~/ui/count/plural";
import { Dialog } from "~/ui/dialog/dialog";
import { selectedField } from "~/ui/selection/selected-field";
import { SelectedButton, SelectionBar } from "~/ui/selection/selection-bar";
import type { DeletionQuestion } from "./selected-circles.server";

interface SelectedCirclesProps {
  count: number;
  mayRun: boolean;
  mayWrite: boolean;
  runKey: string;
  locations: LocationChoices | undefined;
}

/** The actions for the circles that are ticked in the list below. */
export function SelectedCircles({ count, mayRun, mayWrite, runKey, locations }: SelectedCirclesProps) {
  return (
    <SelectionBar
      {...{ count, one: "circle", many: "circles" }}
      alive={islandAttributes("ticked-rows")}
      hint="Select circles to run, pause or delete them together."
      fields={<RunKey value={runKey} />}
    >
      {mayRun && (
        <>
          <SelectedButton value="run-selected" icon="play" verb="Run" />
          <RunFromSelect choices={locations} />
        </>
      )}
      {mayWrite && (
        <>
          <SelectedButton value="pause-selected" icon="pause" verb="Pause" rest=" schedules" />
          <SelectedButton value="resume-selected" icon="clock" verb="Resume" rest=" schedules" />
          <SelectedButton value="delete-selected" icon="trash" verb="Delete" rest="…" />
        </>
      )}
    </SelectionBar>
  );
}

interface DeletionDialogProps {
  requested: DeletionQuestion;
  cancelHref: string;
}

/** Asks for confirmation before ticked circles are deleted. */
export function DeletionDialog({ requested: { ids }, cancelHref }: DeletionDialogProps) {
  const circles = plural(ids.length, "circle");
  return (
    <Dialog
      title={`Delete ${circles}?`}
      message="Also deleted: their schedules, maintenance windows, alert rules, trends, service levels and status pages. Their tests and runs are kept; a run in progress is not stopped. This can't be undone."
      cancelHref={cancelHref}
      fields={{ [selectedField]: ids.join(","), confirmed: "yes" }}
      actions={[{ name: `Delete ${circles}`, value: "delete-selected", style: "danger", icon: "trash" }]}
    />
  );
}
