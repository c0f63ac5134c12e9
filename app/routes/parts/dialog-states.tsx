import { Dialog } from "~/ui/dialog/dialog";

const path = "/parts";

/** Each has a page: nothing outside an open dialog can be reached. */
export const dialogStates = {
  "asks before a deletion": (
    <Dialog
      title="Delete the product?"
      message="This can't be undone."
      cancelHref={path}
      actions={[{ name: "Delete", style: "danger", icon: "trash", href: path }]}
    />
  ),
  "to be closed only": (
    <Dialog title="Good to know" message="No action needed." cancelShow={false} closeShow cancelHref={path} />
  ),
  delayed: <Dialog title="A second later" message="Appears when the page is ready." cancelHref={path} delayed />,
};
