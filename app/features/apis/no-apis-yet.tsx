import { href } from "~/href";
import { Button, LinkButton } from "~/ui/button/button";
import { EmptyState, type EmptyStateProps } from "~/ui/empty-state/empty-state";

export interface NoApisYetProps {
  mayRegister: boolean;
  /** Whether the example shop can be registered in one press. */
  offersExample: boolean;
}

/** Empty state of an organization without APIs, with both ways to add one. */
export function nothingListedYet({ mayRegister, offersExample }: NoApisYetProps) {
  return {
    title: "No APIs registered yet",
    illustration: "apis",
    action: mayRegister && (
      <>
        <LinkButton href={href("/api-management/register")} variant="primary" icon="plus">
          Register an API
        </LinkButton>
        {offersExample && <TryExample />}
      </>
    ),
    children: mayRegister
      ? `Register an API from a URL, a file or pasted text. You see a summary before anything is saved.${offersExample ? " Or look at a small shop first, with its tests and two real problems." : ""}`
      : "A user with permission to change APIs needs to register the first one from its OpenAPI document.",
  } satisfies Pick<EmptyStateProps, "title" | "illustration" | "action" | "children">;
}

/** For the dashboard, which shows the first set-up step below it. */
export function NoApisYet({ mayRegister, offersExample }: NoApisYetProps) {
  if (mayRegister && !offersExample) return null;
  return (
    <EmptyState title="There are no APIs yet" illustration="apis" action={offersExample && <TryExample />}>
      {mayRegister
        ? "Start with your own below, or look at a small shop first: it comes with its tests and two real problems."
        : "An editor or administrator of your organization needs to register the first one."}
    </EmptyState>
  );
}

/** Registers the example shop, with its tests, a circle and a schedule, and runs them. */
function TryExample() {
  return (
    <form method="post" action={href("/api-management/example")}>
      <Button icon="play">Try it with an example</Button>
    </form>
  );
}
