import { href } from "~/href";
import { Button, LinkButton } from "~/ui/button/button";
import { Card } from "~/ui/card/card";
import { Dialog } from "~/ui/dialog/dialog";

export interface SecondFactorCardProps {
  isRequired: boolean;
  asksToRequire: boolean;
}

const here = href("/organization");

/** Whether all members need a second factor. */
export function SecondFactorCard({ isRequired, asksToRequire }: SecondFactorCardProps) {
  return (
    <>
      <Card
        title="Second factor"
        id="second-factor"
        description={
          isRequired
            ? "Required for everyone. Members without one can only open their profile until they set it up."
            : "Optional: each member decides whether signing in asks for a code after the password."
        }
        actions={
          isRequired ? (
            <form method="post" action={here}>
              <Button name="intent" value="allow-password-only">
                Make optional
              </Button>
            </form>
          ) : (
            <LinkButton href={`${here}?dialog=require`} icon="lock">
              Require for everyone
            </LinkButton>
          )
        }
      />
      {asksToRequire && !isRequired && (
        <Dialog
          title="Require a second factor for everyone?"
          message="Members without one can only open their profile until they set one up. This takes effect immediately in all sessions, and their API tokens are suspended until then."
          cancelHref={here}
          action={here}
          actions={[{ name: "Require a second factor", value: "require-second-factor", style: "primary" }]}
        />
      )}
    </>
  );
}
