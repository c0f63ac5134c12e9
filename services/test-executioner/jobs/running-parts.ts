import type { apiRegistryContract } from "#contracts/api-registry/contract.ts";
import type { securityServiceContract } from "#contracts/security-service/contract.ts";
import type { testRegistryContract } from "#contracts/test-registry/contract.ts";
import type { ExplainingEgress } from "#libraries/egress/egress.ts";
import type { Judging } from "#libraries/judging/judging.ts";
import { createHiding } from "#libraries/running/hiding/hiding.ts";
import { createAccessTokens } from "#libraries/running/sending/access-tokens.ts";
import type { Connect } from "../../kit/client/client.ts";
import type { Clock } from "../../kit/clock/clock.ts";
import type { IssueServiceToken } from "../../kit/identity/identity.ts";
import { type Settings, withoutSettings } from "../../kit/settings/settings.ts";
import type { Vault } from "../../kit/vault/vault.ts";
import type { EnvironmentSecrets } from "../domain/environment-secrets.ts";
import { listCapturing } from "../store/members.ts";
import type { ExecutionDatabase } from "../store/tables.ts";
import { openForAgent } from "./agent-tasks.ts";
import { createApiSecretLookup } from "./api-secrets.ts";
import { createCaptureSeal } from "./capture-seal.ts";
import { createCredentialLookup } from "./credential-lookup.ts";
import type { RunParts } from "./execution-run.ts";
import { createFileLookup } from "./file-lookup.ts";
import { createHostRuleLookup } from "./host-rule-lookup.ts";
import { createOperationLookup } from "./operation-lookup.ts";
import { createSecretVariableLookup } from "./secret-variables.ts";
import type { NoteCertificate } from "./seen-certificates.ts";

/** What requests are sent with, and what running a test takes besides. */
export function createRunningParts({
  db,
  egress,
  clock,
  judging,
  apiRegistry,
  testRegistry,
  securityService,
  serviceToken,
  settings = withoutSettings,
  environmentSecrets,
  vault,
  version,
  noteCertificate,
}: {
  db: ExecutionDatabase;
  egress: ExplainingEgress;
  clock: Clock;
  judging: Judging;
  apiRegistry: Connect<typeof apiRegistryContract>;
  testRegistry: Connect<typeof testRegistryContract>;
  securityService: Connect<typeof securityServiceContract>;
  serviceToken: IssueServiceToken;
  settings?: Settings | undefined;
  environmentSecrets?: EnvironmentSecrets | undefined;
  vault: Vault;
  version: string;
  noteCertificate: NoteCertificate;
}) {
  const readSecretVariables = createSecretVariableLookup(securityService, serviceToken, environmentSecrets);
  const sending = {
    egress,
    clock,
    openCredentials: createCredentialLookup(securityService, serviceToken, { environmentSecrets }),
    accessTokens: createAccessTokens({ egress, clock }),
    settings,
    findHostRules: createHostRuleLookup(securityService, serviceToken),
    findFile: createFileLookup(testRegistry, serviceToken),
    userAgent: `api-assurance-portal/${version}`,
  };
  const running = {
    ...sending,
    readSecretVariables,
    readApiSecrets: createApiSecretLookup(apiRegistry, serviceToken, readSecretVariables),
    findOperation: createOperationLookup(apiRegistry, serviceToken),
    judging,
    hiding: createHiding(),
    seal: createCaptureSeal(vault),
    noteCertificate,
    listCapturing: async ({ organization_id, run_id }, name) => await listCapturing(db, organization_id, run_id, name),
  } satisfies RunParts;
  return {
    sending,
    running,
    // The user who tests a credential may have just changed it.
    openAtOnce: createCredentialLookup(securityService, serviceToken, { cacheMilliseconds: 0, environmentSecrets }),
    openForAgents: createCredentialLookup(securityService, serviceToken, { readItem: openForAgent }),
    openForVaults: createCredentialLookup(securityService, serviceToken, { readItem: openForAgent, leavesVault: true }),
  };
}
