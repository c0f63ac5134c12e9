import { selectedField } from "~/features/export/selected-field";
import { RunKey, runKeyField } from "~/features/runs/run-key";
import { href } from "~/href";
import { Button } from "~/ui/button/button";
import { plural } from "~/ui/count/plural";
import { Dialog } from "~/ui/dialog/dialog";
import { Row } from "~/ui/layout/layout";
import { CircleDialog, TagDialog } from "./selected-dialogs";
import { selectedForm } from "./selected-fields";
import type { SelectionRequest } from "./selected-tests.server";

interface SelectedActionsProps {
  apiId: string;
  mayRun: boolean;
  mayWrite: boolean;
  runKey: string;
}

/** The actions for the tests that are ticked in the list below. */
export function SelectedActions({ apiId, mayRun, mayWrite, runKey }: SelectedActionsProps) {
  return (
    <form method="post" id={selectedForm}>
      <RunKey value={runKey} />
      <Row gap="small">
        {mayRun && (
          <Button size="small" icon="play" name="intent" value="run-selected">
            Run selected
          </Button>
        )}
        <Button
          size="small"
          icon="download"
          formMethod="get"
          formAction={href("/test-management/:apiId/export", { apiId })}
        >
          Export selected…
        </Button>
        {mayWrite && (
          <>
            <Button size="small" name="intent" value="enable-selected">
              Enable selected
            </Button>
            <Button size="small" icon="pause" name="intent" value="disable-selected">
              Disable selected
            </Button>
            <Button size="small" name="intent" value="tag-selected">
              Tag selected…
            </Button>
            <Button size="small" name="intent" value="circle-selected">
              Add selected to a circle…
            </Button>
            <Button size="small" icon="trash" name="intent" value="delete-selected">
              Delete selected…
            </Button>
          </>
        )}
      </Row>
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
