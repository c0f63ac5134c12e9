import type { AuthorizationConfig } from "#contracts/security-service/authorization-configs.ts";
import { ConfigTable } from "~/features/credentials/config-table";
import { href } from "~/href";
import { LinkButton } from "~/ui/button/button";
import { Card } from "~/ui/card/card";

export interface DomainConfigsProps {
  domain: string;
  /** The first of those that apply there, including those of wildcards. */
  configs: readonly AuthorizationConfig[];
  hasMore: boolean;
}

/** The authorization configs that apply to a domain. */
export function DomainConfigs({ domain, configs, hasMore }: DomainConfigsProps) {
  return (
    <Card
      title="Authorization configs"
      description={
        configs.length === 0
          ? "No security scheme is mapped here: requests that inherit send all credentials below."
          : "Security schemes and their credentials for this domain, including wildcards."
      }
      flush
      actions={
        <LinkButton href={href("/administration/authorization-configs/create", { domain })} icon="plus">
          Create an authorization config
        </LinkButton>
      }
      footer={
        hasMore && <a href={href("/administration/authorization-configs", { query: domain })}>Show all of them</a>
      }
    >
      {configs.length > 0 && (
        <ConfigTable caption={`Authorization configs at ${domain}`} configs={configs} mayManage bare />
      )}
    </Card>
  );
}
