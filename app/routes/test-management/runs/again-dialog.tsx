import { runKeyField } from "~/features/runs/run-key";
import { plural } from "~/ui/count/plural";
import { Dialog } from "~/ui/dialog/dialog";

export interface AgainDialogProps {
  executions: number;
  methods: readonly { method: string; safe: boolean; executions: number }[];
  /** Position of the first member to run again; without it the failed members run. */
  from?: number;
  closeHref: string;
  runKey: string;
}

/** Asks for confirmation before requests that may change data are sent again. */
export function AgainDialog({ executions, methods, from, closeHref, runKey }: AgainDialogProps) {
  const unsafe = methods.filter(({ safe }) => !safe);
  const named = unsafe.map((one) => `${one.method.toUpperCase()} (${one.executions.toLocaleString("en")})`).join(", ");
  return (
    <Dialog
      title={`Run ${plural(executions, "execution")} again?`}
      message={`Some of them may change data again: ${named}.`}
      cancelHref={closeHref}
      fields={{ [runKeyField]: runKey, confirmed: "yes", ...(from === undefined ? {} : { from: String(from) }) }}
      actions={[{ name: "Run again", style: "primary", icon: "play" }]}
    />
  );
}
