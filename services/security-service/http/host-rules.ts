import type { securityServiceContract } from "#contracts/security-service/contract.ts";
import type { Handlers } from "../../kit/service/service.ts";
import { domainsCovering } from "../domain/domain-binding.ts";
import { isTraced, mergeRules } from "../domain/host-rules.ts";
import { listConfigsOfDomains } from "../store/authorization-configs.ts";
import { listRuledDomains } from "../store/domains.ts";
import type { SecurityDatabase } from "../store/tables.ts";
import { findTracing } from "../store/tracing.ts";

/** Creates the handler that returns the rules of a host to services that send requests. */
export function createHostRuleHandlers(
  db: SecurityDatabase,
): Pick<Handlers<typeof securityServiceContract>, "findHostRules"> {
  return {
    async findHostRules({ caller, body }) {
      const domains = domainsCovering(body.host);
      const [configs, covering, tracing] = await Promise.all([
        listConfigsOfDomains(db, caller.organizationId, domains),
        listRuledDomains(db, caller.organizationId, domains),
        findTracing(db, caller.organizationId),
      ]);
      configs.sort((one, other) => domains.indexOf(one.domain) - domains.indexOf(other.domain));
      // The first of a scheme wins.
      const byScheme = new Map(configs.reverse().map((config) => [config.scheme_name, config.credential_id]));
      const rules = mergeRules(covering);
      return {
        ...rules,
        isTraced: isTraced(domains, rules, tracing),
        authorizationConfigs: [...byScheme].map(([schemeName, credentialId]) => ({ schemeName, credentialId })),
      };
    },
  };
}
