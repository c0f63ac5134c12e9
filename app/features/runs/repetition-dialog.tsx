import { plural } from "~/ui/count/plural";
import { Dialog } from "~/ui/dialog/dialog";
import { selectedField } from "~/ui/selection/selected-field";
import { runKeyField } from "./run-key";
import type { RepetitionQuestion } from "./selected-runs.server";

interface RepetitionDialogProps {
  requested: RepetitionQuestion;
  runKey: string;
  cancelHref: string;
}

const list = new Intl.ListFormat("en");

/** Asks for confirmation before ticked runs send requests again that may change data. */
export function RepetitionDialog({ requested: { ids, unsafe }, runKey, cancelHref }: RepetitionDialogProps) {
  const runs = plural(ids.length, "run");
  const methods = list.format(unsafe.map(({ method, total }) => `${total.toLocaleString("en")} ${method}`));
  return (
    <Dialog
      title={`Repeat ${runs} that may change data?`}
      message={`They send ${methods} again. What they create, change or delete on the server is not undone.`}
      cancelHref={cancelHref}
      fields={{ [selectedField]: ids.join(","), [runKeyField]: runKey, confirmed: "yes" }}
      actions={[{ name: `Repeat ${runs}`, value: "again-selected", style: "danger", icon: "play" }]}
    />
  );
}
