import { selectedField } from "~/features/export/selected-field";
import { RunKey, runKeyField } from "~/features/runs/run-key";
import { href } from "~/href";
import { islandAttributes } from "~/islands/island-attributes";
import { Button } from "~/ui/button/button";
import { plural } from "~/ui/count/plural";
import { Dialog } from "~/ui/dialog/dialog";
import { VisuallyHidden } from "~/ui/visually-hidden/visually-hidden";
import { CircleDialog, TagDialog } from "./selected-dialogs";
import { selectedForm } from "./selected-fields";
import * as styles from "./selected-tests.css";
import type { SelectionRequest } from "./selected-tests.server";
import { tick } from "./test-table.css";

interface SelectedActionsProps {
  apiId: string;
  /** Tests on the page. */
  count: number;
  mayRun: boolean;
  mayWrite: boolean;
  runKey: string;
}

/** The actions for the tests that are ticked in the list below, and a tick for all of them. */
export function SelectedActions({ apiId, count, mayRun, mayWrite, runKey }: SelectedActionsProps) {
  const intent = (value: string) => ({ size: "small", name: "intent", value, className: styles.button }) as const;
  const selected = <VisuallyHidden> selected</VisuallyHidden>;
  return (
    <form
      method="post"
      id={selectedForm}
      className={styles.bar}
      {...islandAttributes("ticked-rows")}
      data-ticks={selectedField}
      data-one="test"
      data-many="tests"
    >
      <RunKey value={runKey} />
      <label className={styles.all}>
        <input type="checkbox" data-all="" className={tick} />
        <span>
          All<VisuallyHidden> {plural(count, "test")} on this page</VisuallyHidden>
        </span>
      </label>
      <p className={styles.count} role="status" data-count="" />
      <p className={styles.hint}>
        {mayWrite ? "Select tests to run, tag or delete them together." : "Select tests to export them together."}
      </p>
      <div className={styles.actions}>
        {mayRun && (
          <Button {...intent("run-selected")} icon="play">
            Run{selected}
          </Button>
        )}
        <Button
          size="small"
          icon="download"
          formMethod="get"
          formAction={href("/test-management/:apiId/export", { apiId })}
          className={styles.button}
        >
          Export{selected}…
        </Button>
        {mayWrite && (
          <>
            <Button {...intent("circle-selected")}>
              Add<VisuallyHidden> selected</VisuallyHidden> to a circle…
            </Button>
            <Button {...intent("tag-selected")}>Tag{selected}…</Button>
            <Button {...intent("enable-selected")}>Enable{selected}</Button>
            <Button {...intent("disable-selected")} icon="pause">
              Disable{selected}
            </Button>
            <Button {...intent("delete-selected")} icon="trash">
              Delete{selected}…
            </Button>
          </>
        )}
      </div>
    </form>
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
  const { intent, ids, unsafe } = requested;
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
      fields={fields}
      actions={[{ name: `Run ${tests}`, value: intent, style: "danger", icon: "play" }]}
    />
  );
}
