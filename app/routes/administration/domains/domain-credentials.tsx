import type { Credential } from "#contracts/security-service/credentials.ts";
import { CredentialTable } from "~/features/credentials/credential-table";
import { href } from "~/href";
import { LinkButton } from "~/ui/button/button";
import { Card } from "~/ui/card/card";

export interface DomainCredentialsProps {
  domain: string;
  /** The first of those that may be sent there, including those of wildcards. */
  credentials: readonly Credential[];
  hasMoreCredentials: boolean;
  mayManageCredentials: boolean;
}

/** The credentials that may be sent to a domain. */
export function DomainCredentials(props: DomainCredentialsProps) {
  const { domain, credentials, hasMoreCredentials, mayManageCredentials } = props;
  return (
    <Card
      title="Credentials"
      description={
        credentials.length === 0
          ? "No credentials for this domain yet."
          : "All credentials that may be sent to this domain, including wildcards."
      }
      flush
      actions={
        mayManageCredentials && (
          <LinkButton href={href("/administration/credentials/create", { domain })} icon="plus">
            Create a credential
          </LinkButton>
        )
      }
      footer={
        hasMoreCredentials && (
          <a href={href("/administration/credentials/domain/:domain", { domain })}>Show all of them</a>
        )
      }
    >
      {credentials.length > 0 && (
        <CredentialTable
          caption={`Credentials for ${domain}`}
          credentials={credentials}
          mayManage={mayManageCredentials}
          bare
        />
      )}
    </Card>
  );
}
