import { href } from "~/href";

/** The remedy for a limit: a larger plan, or the people who may choose one. */
export function PlanLink({ managesBilling }: { managesBilling: boolean }) {
  return managesBilling ? (
    <>
      <a href={href("/billing")}>Upgrade the plan</a>.
    </>
  ) : (
    "An administrator of your organization can upgrade the plan."
  );
}
