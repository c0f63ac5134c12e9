import type { OwnAccount } from "#contracts/security-service/own-account.ts";
import { roleName } from "~/features/people/role-words";
import { href } from "~/href";
import { Badge } from "~/ui/badge/badge";
import { LinkButton } from "~/ui/button/button";
import { Card } from "~/ui/card/card";
import { DefinitionList } from "~/ui/definition-list/definition-list";
import { Row } from "~/ui/layout/layout";
import { VisuallyHidden } from "~/ui/visually-hidden/visually-hidden";

export interface AccountCardProps {
  account: OwnAccount;
  roles: readonly string[];
  organizationName: string | undefined;
  managesBilling: boolean;
}

/** The account's names and addresses, and the links for changing them. */
export function AccountCard({ account, roles, organizationName, managesBilling }: AccountCardProps) {
  const { fullName, username, email, newEmail } = account;
  return (
    <Card title="Account">
      <DefinitionList
        items={[
          { term: "Name", value: <Changeable value={fullName} name="name" href={href("/profile/name")} /> },
          { term: "Username", value: username },
          {
            term: "Email",
            value: <Changeable value={email || "No email"} name="email" href={href("/profile/email")} />,
          },
          !account.hasPassword && { term: "Log in", value: "With single sign-on. The account has no password." },
          newEmail && { term: "New email", value: `${newEmail.email}, not confirmed yet` },
          {
            term: "Organization",
            value: <a href={href("/organization")}>{organizationName ?? "Name currently unknown"}</a>,
          },
          managesBilling && { term: "Plan", value: <a href={href("/billing")}>Plan and usage</a> },
          {
            term: "Roles",
            value: (
              <Row gap="tiny">
                {roles.map((role) => (
                  <Badge key={role} icon={null}>
                    {roleName(role)}
                  </Badge>
                ))}
              </Row>
            ),
          },
        ]}
      />
    </Card>
  );
}

interface ChangeableProps {
  value: string;
  name: string;
  href: string;
}

function Changeable({ value, name, href }: ChangeableProps) {
  return (
    <Row>
      {value}
      <LinkButton href={href} size="small" variant="quiet">
        Change<VisuallyHidden> your {name}</VisuallyHidden>
      </LinkButton>
    </Row>
  );
}
