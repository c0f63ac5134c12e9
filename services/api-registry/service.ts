import type { Logger } from "pino";
import { apiRegistryContract } from "#contracts/api-registry/contract.ts";
import type { ApiEvent } from "#contracts/api-registry/events.ts";
import type { portalServiceContract } from "#contracts/portal-service/contract.ts";
import type { testRegistryContract } from "#contracts/test-registry/contract.ts";
import type { Egress } from "#libraries/egress/egress.ts";
import { createAuditHandlers } from "../kit/audit/audit-handlers.ts";
import { startAuditRetention } from "../kit/audit/audit-retention.ts";
import type { Connect } from "../kit/client/client.ts";
import type { Clock } from "../kit/clock/clock.ts";
import type { Database } from "../kit/database/database.ts";
import { migrateSchema } from "../kit/database/migrate.ts";
import type { Consumer } from "../kit/events/consumer.ts";
import { createPublisher } from "../kit/events/publisher.ts";
import type { Authenticate, IssueServiceToken } from "../kit/identity/identity.ts";
import { createEndedOrganizations } from "../kit/organization/ended-organizations.ts";
import { createPlanLedger } from "../kit/plan/plan-ledger.ts";
import type { RunningService } from "../kit/service/running-service.ts";
import { createService } from "../kit/service/service.ts";
import type { Vault } from "../kit/vault/vault.ts";
import { defaultImportLimits, type ImportLimits } from "./domain/limits.ts";
import { createApiHandlers } from "./http/apis.ts";
import { createAuthenticationHandlers } from "./http/authentication.ts";
import { createChosenEnvironmentHandlers } from "./http/chosen-environments.ts";
import { createApiRegistryPart } from "./http/code/part.ts";
import { createCompare, createComparisonHandlers } from "./http/comparisons.ts";
import type { RegistryContext } from "./http/context.ts";
import { createDescriptionHandlers } from "./http/descriptions.ts";
import { createDocumentWatchHandlers } from "./http/document-watches.ts";
import { createDocumentHandlers, createStoreVersion } from "./http/documents.ts";
import { createEnvironmentHandlers } from "./http/environments.ts";
import { createImportHandlers } from "./http/imports.ts";
import { createOperationHandlers } from "./http/operations.ts";
import { createReceivedEventHandlers } from "./http/received-events.ts";
import { createResourceHandlers } from "./http/resources.ts";
import { createSearchHandlers } from "./http/search.ts";
import { createOpenedSecretHandlers, createSecretVariables } from "./http/secret-variables.ts";
import { createVariableHandlers } from "./http/variables.ts";
import { createContentStore } from "./jobs/content-store.ts";
import { createDocumentLooks } from "./jobs/document-looks.ts";
import { startDocumentWatch } from "./jobs/document-watch.ts";
import { createImporter } from "./jobs/importer.ts";
import { startRelating } from "./jobs/relating.ts";
import { createStaging } from "./jobs/staging.ts";
import { migrations } from "./store/migrations.ts";
import { type ApiRegistryTables, schemaName } from "./store/tables.ts";

export interface ApiRegistryOptions {
  database: Database;
  authenticate: Authenticate;
  log: Logger;
  clock: Clock;
  version: string;
  /** The client that fetches documents and their parts. */
  egress: Egress;
  importLimits?: Partial<ImportLimits>;
  /** Looks up the tests that a new version of a document affects. */
  testRegistry: Connect<typeof testRegistryContract>;
  /** Looks up the limits of an organization's plan. */
  portalService: Connect<typeof portalServiceContract>;
  serviceToken: IssueServiceToken;
  /** Seals secret variables at rest. */
  vault: Vault;
  /** Subscribers to events of APIs. */
  consumers: Consumer[];
  /** Whether this process delivers events to others and looks at watched addresses, or only records them. */
  work: boolean;
  watchEveryMilliseconds?: number;
}

/** Registers APIs from their OpenAPI documents and serves their operations. */
export async function createApiRegistry(options: ApiRegistryOptions): Promise<RunningService> {
  const { database, authenticate, log, clock, version, egress } = options;
  await migrateSchema(database, schemaName, migrations, log);
  const db = database.inSchema<ApiRegistryTables>(schemaName);
  const staging = createStaging({ db, clock, log });
  const limits = { ...defaultImportLimits, ...options.importLimits };
  const importer = createImporter({ egress, log, limits, staging });
  const publisher = await createPublisher<ApiEvent>({ ...options, schema: schemaName });
  const contents = await createContentStore({ db, clock, log, alone: database.engine === "pglite" });
  const stopAuditRetention = startAuditRetention({ database, schema: schemaName, clock, log });
  const plans = createPlanLedger({ ...options, db, schema: schemaName, subject: "apis" });
  const ended = await createEndedOrganizations({ ...options, schema: schemaName, swept: contents.removeSoon });
  const relating = startRelating({ db, importer, log });
  const secrets = createSecretVariables(options.vault);
  const context: RegistryContext = { database, db, clock, importer, contents, publisher, plans, secrets };
  const compare = createCompare(context, options);
  const storeVersion = createStoreVersion(context);
  const looks = createDocumentLooks({ ...options, context, limits, compare, storeVersion });
  const stopWatch = options.work ? startDocumentWatch({ ...options, db, looks }) : undefined;
  const app = createService({
    name: "api-registry",
    clock,
    description: "Registered APIs: their OpenAPI documents, operations and environments.",
    version,
    contract: apiRegistryContract,
    authenticate,
    log,
    checkHealth: () => database.checkHealth(),
    checkCapacity: () => database.checkCapacity(),
    handlers: {
      ...createAuditHandlers({ database, schema: schemaName, clock }),
      ...createApiHandlers(context),
      ...createAuthenticationHandlers(context),
      ...createDescriptionHandlers(context),
      ...createDocumentHandlers(context, storeVersion),
      ...createComparisonHandlers(context, compare),
      ...createDocumentWatchHandlers(context, storeVersion),
      ...createOperationHandlers(context),
      ...createEnvironmentHandlers(context),
      ...createImportHandlers(context),
      ...createResourceHandlers(context),
      ...createSearchHandlers(context),
      ...createVariableHandlers(context),
      ...createOpenedSecretHandlers(context),
      ...createChosenEnvironmentHandlers(context),
      ...createApiRegistryPart(context, log).handlers,
      ...createReceivedEventHandlers({ db, clock, plans, ended }),
    },
  });
  return {
    app,
    metrics: publisher.metrics,
    async stop() {
      await stopWatch?.();
      await ended.stop();
      await publisher.stop();
      await relating.stop();
      await importer.stop();
      await staging.stop();
      await contents.stop();
      await stopAuditRetention();
    },
  };
}
