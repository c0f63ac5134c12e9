import { href } from "~/href";

/** What helps against a limit: a larger plan, or whoever may choose one. */
export function PlanLink({ managesBilling }: { managesBilling: boolean }) {
  return managesBilling ? (
    <>
      <a href={href("/billing")}>Choose a larger plan</a>.
    </>
  ) : (
    "An administrator of your organization can choose a larger plan."
  );
}
