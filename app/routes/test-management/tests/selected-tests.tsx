import type { LocationChoices } from "~/features/locations/location-choices.server";
import { RunFromSelect, runFromField } from "~/features/locations/run-from";
import { RunKey, runKeyField } from "~/features/runs/run-key";
import { href } from "~/href";
import { islandAttributes } from "~/islands/island-attributes";
import { plural } from "~/ui/count/plural";
import { Dialog } from "~/ui/dialog/dialog";
import { selectedField } from "~/ui/selection/selected-field";
import { SelectedButton, SelectionBar } from "~/ui/selection/selection-bar";
import { CircleDialog, TagDialog } from "./selected-dialogs";
import type { SelectionRequest } from "./selected-tests.server";

interface SelectedActionsProps {
  apiId: string;
  /** Tests on the page. */
  count: number;
  mayRun: boolean;
  mayWrite: boolean;
  runKey: string;
  locations: LocationChoices | undefined;
}

/** The actions for the tests that are ticked in the list below, and a tick for all of them. */
export function SelectedActions({ apiId, count, mayRun, mayWrite, runKey, locations }: SelectedActionsProps) {
  return (
    <SelectionBar
      {...{ count, one: "test", many: "tests" }}
      alive={islandAttributes("ticked-rows")}
      hint={mayWrite ? "Select tests to run, tag or delete them together." : "Select tests to export them together."}
      fields={<RunKey value={runKey} />}
    >
      {mayRun && (
        <>
          <SelectedButton value="run-selected" icon="play" verb="Run" />
          <RunFromSelect choices={locations} />
        </>
      )}
      <SelectedButton
        icon="download"
        formMethod="get"
        formAction={href("/test-management/:apiId/export", { apiId })}
        verb="Export"
        rest="…"
      />
      {mayWrite && (
        <>
          <SelectedButton value="circle-selected" verb="Add" rest=" to a circle…" />
          <SelectedButton value="tag-selected" verb="Tag" rest="…" />
          <SelectedButton value="enable-selected" verb="Enable" />
          <SelectedButton value="disable-selected" icon="pause" verb="Disable" />
          <SelectedButton value="delete-selected" icon="trash" verb="Delete" rest="…" />
        </>
      )}
    </SelectionBar>
  );
}

interface SelectedDialogProps {
  requested: SelectionRequest;
  runKey: string;
  cancelHref: string;
}

const list = new Intl.ListFormat("en");

/** Asks for confirmation before chosen tests are deleted or send requests that may change data, and for the tag or the circle to add. */
export function SelectedDialog({ requested, runKey, cancelHref }: SelectedDialogProps) {
  const { intent, ids, unsafe, runFrom = "" } = requested;
  const tests = plural(ids.length, "test");
  const fields = { [selectedField]: ids.join(","), [runKeyField]: runKey, confirmed: "yes" };
  if (intent === "delete-selected") {
    return (
      <Dialog
        title={`Delete ${tests}?`}
        message="The tests and their executions are deleted. This can't be undone."
        cancelHref={cancelHref}
        fields={fields}
        actions={[{ name: `Delete ${tests}`, value: intent, style: "danger", icon: "trash" }]}
      />
    );
  }
  if (intent === "tag-selected") return <TagDialog {...{ requested, tests, cancelHref, fields }} />;
  if (intent === "circle-selected") return <CircleDialog {...{ requested, tests, cancelHref, fields }} />;
  const methods = list.format(unsafe.map(({ method, total }) => `${total.toLocaleString("en")} ${method}`));
  return (
    <Dialog
      title={`Run ${tests}, some of which may change data?`}
      message={`These include ${methods}. What they create, change or delete on the server is not undone.`}
      cancelHref={cancelHref}
      fields={{ ...fields, [runFromField]: runFrom }}
      actions={[{ name: `Run ${tests}`, value: intent, style: "danger", icon: "play" }]}
    />
  );
}
