import { muteChoices } from "~/features/incidents/mute-choices";
import { RunKey, runKeyField } from "~/features/runs/run-key";
import { islandAttributes } from "~/islands/island-attributes";
import { plural } from "~/ui/count/plural";
import { Dialog } from "~/ui/dialog/dialog";
import { Select } from "~/ui/select/select";
import { selectedField } from "~/ui/selection/selected-field";
import { SelectedButton, SelectionBar } from "~/ui/selection/selection-bar";
import { TextArea } from "~/ui/text-area/text-area";
import type { IncidentQuestion } from "./selected-incidents.server";

/** The actions for the incidents that are ticked in the list below. */
export function SelectedIncidents({ count, runKey }: { count: number; runKey: string }) {
  return (
    <SelectionBar
      {...{ count, one: "incident", many: "incidents" }}
      alive={islandAttributes("ticked-rows")}
      hint="Select incidents to acknowledge, mute or resolve them together."
      fields={<RunKey value={runKey} />}
    >
      <SelectedButton value="acknowledge-selected" icon="user" verb="Acknowledge" />
      <SelectedButton value="mute-selected" icon="pause" verb="Mute" rest="…" />
      <SelectedButton value="comment-selected" icon="pencil" verb="Comment on" rest="…" />
      <SelectedButton value="resolve-selected" icon="check" verb="Resolve" rest="…" />
    </SelectionBar>
  );
}

interface QuestionProps {
  requested: IncidentQuestion;
  runKey: string;
  cancelHref: string;
}

/** The dialog's form, which is separate from its text. */
const form = "dialog-form";

/** Asks before ticked incidents are resolved, and for the comment or until when to mute them. */
export function IncidentQuestionDialog({ requested, runKey, cancelHref }: QuestionProps) {
  const { intent, ids, typed, error } = requested;
  const incidents = plural(ids.length, "incident");
  const fields = { [selectedField]: ids.join(","), [runKeyField]: runKey, confirmed: "yes" };
  if (intent === "resolve-selected") {
    return (
      <Dialog
        title={`Resolve ${incidents}?`}
        message="Everyone who was alerted is notified that they are resolved. Later failures open new incidents. They resolve automatically once their tests pass."
        {...{ cancelHref, fields }}
        actions={[{ name: `Resolve ${incidents}`, value: intent, icon: "check" }]}
      />
    );
  }
  if (intent === "mute-selected") {
    return (
      <Dialog
        title={`Mute ${incidents}`}
        message="No alerts are sent while they continue or grow. Their recovery is still notified."
        {...{ cancelHref, fields }}
        actions={[{ name: `Mute ${incidents}`, value: intent, icon: "pause" }]}
      >
        <Select
          {...{ form, label: "Until", name: "mute", autoFocus: true }}
          options={Object.entries(muteChoices).map(([value, { label }]) => ({ value, label }))}
        />
      </Dialog>
    );
  }
  return (
    <Dialog
      title={`Comment on ${incidents}`}
      message="For your organization: neither alerts nor status pages contain it."
      {...{ cancelHref, fields }}
      actions={[{ name: "Add comment", value: intent }]}
    >
      <TextArea
        {...{ form, label: "Comment", name: "text", defaultValue: typed, rows: 3, required: true, autoFocus: true }}
        errors={error ? [error] : undefined}
      />
    </Dialog>
  );
}
