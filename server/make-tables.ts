import { pino } from "pino";
import * as apiRegistry from "../services/api-registry/store/migrations.ts";
import { schemaName as apiRegistrySchema } from "../services/api-registry/store/tables.ts";
import type { Database } from "../services/kit/database/database.ts";
import { migrateSchema } from "../services/kit/database/migrate.ts";
import { getEmailQueueName } from "../services/kit/mail/mail.ts";
import { createQueue } from "../services/kit/queue/queue.ts";
import { billingEmailQueue } from "../services/portal-service/jobs/billing-emails.ts";
import * as portalService from "../services/portal-service/store/migrations.ts";
import { schemaName as portalServiceSchema } from "../services/portal-service/store/tables.ts";
import { domainCheckQueue } from "../services/security-service/jobs/domain-checks.ts";
import * as securityService from "../services/security-service/store/migrations.ts";
import { schemaName as securityServiceSchema } from "../services/security-service/store/tables.ts";
import { alertQueue } from "../services/test-analyzer/jobs/alert-sender.ts";
import * as testAnalyzer from "../services/test-analyzer/store/migrations.ts";
import { schemaName as testAnalyzerSchema } from "../services/test-analyzer/store/tables.ts";
import * as testExecutioner from "../services/test-executioner/store/migrations.ts";
import { schemaName as testExecutionerSchema } from "../services/test-executioner/store/tables.ts";
import * as testRegistry from "../services/test-registry/store/migrations.ts";
import { schemaName as testRegistrySchema } from "../services/test-registry/store/tables.ts";
import { sendingServices } from "./sending-services.ts";

const schemas = [
  [apiRegistrySchema, apiRegistry.migrations],
  [portalServiceSchema, portalService.migrations],
  [securityServiceSchema, securityService.migrations],
  [testAnalyzerSchema, testAnalyzer.migrations],
  [testExecutionerSchema, testExecutioner.migrations],
  [testRegistrySchema, testRegistry.migrations],
] as const;

/** Each has its own table. */
const queues = [...sendingServices.map(getEmailQueueName), billingEmailQueue, domainCheckQueue, alertQueue];

/** Creates all tables of the services and of the queue, empty, in a database that may be empty. */
export async function makeTables(database: Database): Promise<void> {
  const queue = await createQueue({ database, log: pino({ level: "silent" }) });
  for (const name of queues) await queue.declare(name);
  for (const [name, migrations] of schemas) await migrateSchema(database, name, migrations);
  await queue.stop();
}
