import { Dialog } from "~/ui/dialog/dialog";

const path = "/parts";

/** Each has a page: nothing outside an open dialog can be reached. */
export const dialogStates = {
  "asks before a deletion": (
    <Dialog
      title="Delete the product?"
      message="It is gone for good."
      cancelHref={path}
      actions={[{ name: "Delete", style: "danger", icon: "trash", href: path }]}
    />
  ),
  "to be closed only": (
    <Dialog title="Good to know" message="Nothing to decide." cancelShow={false} closeShow cancelHref={path} />
  ),
  delayed: <Dialog title="A second later" message="Comes when the page is there." cancelHref={path} delayed />,
};
