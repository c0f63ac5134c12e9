import { rolesInWords } from "~/features/people/role-words";
import { href } from "~/href";
import type { SignOnResult } from "~/session/sign-on-state";
import { Button } from "~/ui/button/button";
import { Card } from "~/ui/card/card";
import { DefinitionList } from "~/ui/definition-list/definition-list";
import { Stack } from "~/ui/layout/layout";
import { Notice } from "~/ui/notice/notice";

const none = "None";

/** Goes to the provider and back, and reports its claims. */
export function TrialCard({ result, keepsRoles }: { result: SignOnResult | undefined; keepsRoles: boolean }) {
  return (
    <Card
      title="Try it"
      id="trial"
      description="Log in at the provider and see what it returns. Your current session stays as it is."
      actions={
        <form method="post" action={href("/organization/single-sign-on")}>
          <Button name="intent" value="try">
            Try it
          </Button>
        </form>
      }
    >
      {result && (
        <Stack>
          {result.fault ? (
            <Notice role="alert" tone="danger" title="This sign-in would be refused">
              {result.fault}
            </Notice>
          ) : (
            <Notice role="status" tone="success" title={`${result.email} could log in`} />
          )}
          {result.claims.length > 0 && (
            <DefinitionList
              items={[
                { term: "Email address", value: result.email || none },
                { term: "Values of the roles claim", value: result.roleValues.join(", ") || none },
                {
                  term: "Roles",
                  value: keepsRoles ? "Assigned here, not by a claim" : rolesInWords(result.roles) || none,
                },
                { term: "Second factor", value: result.usedSecondFactor ? "Used at the provider" : "Not notified" },
                { term: "Claims", value: result.claims.join(", ") },
              ]}
            />
          )}
        </Stack>
      )}
    </Card>
  );
}
