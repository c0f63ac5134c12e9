import { Dialog } from "~/ui/dialog/dialog";
import type { Acceptance } from "./accept.server";

/** Asks for confirmation before an actual value becomes the expected one. */
export function AcceptDialog({ acceptance, cancelHref }: { acceptance: Acceptance; cancelHref: string }) {
  const { number, testName, version, change } = acceptance;
  if (!change) {
    return (
      <Dialog
        title="This can't be accepted"
        message={`${testName} was changed after this execution, or takes what it expects from a variable. Edit the test instead.`}
        cancelName="Close"
        cancelHref={cancelHref}
      />
    );
  }
  return (
    <Dialog
      title="Update the expected value?"
      message={`${testName} now expects: ${change.after}. Before: ${change.before}.`}
      cancelHref={cancelHref}
      action={cancelHref}
      fields={{ assertion: String(number), version: String(version) }}
      actions={[{ name: "Update expected value", value: "accept", icon: "check" }]}
    />
  );
}
