import type { apiRegistryContract } from "#contracts/api-registry/contract.ts";
import type { ApiEvent } from "#contracts/api-registry/events.ts";
import { notFound } from "#contracts/kit/problem.ts";
import type { Clock } from "../../kit/clock/clock.ts";
import type { Database } from "../../kit/database/database.ts";
import type { Publisher } from "../../kit/events/publisher.ts";
import type { PlanLedger } from "../../kit/plan/plan-ledger.ts";
import type { Handlers } from "../../kit/service/service.ts";
import type { ContentStore } from "../jobs/content-store.ts";
import type { Importer } from "../jobs/importer.ts";
import { type ApiRow, findApi } from "../store/apis.ts";
import type { RegistryDatabase } from "../store/tables.ts";
import type { SecretVariables } from "./given-variables.ts";

/** Dependencies of every handler. */
export interface RegistryContext {
  database: Database;
  db: RegistryDatabase;
  clock: Clock;
  importer: Importer;
  contents: ContentStore;
  publisher: Publisher<ApiEvent>;
  /** Maximum number of APIs an organization may register. */
  plans: PlanLedger;
  secrets: SecretVariables;
}

export type RegistryHandlers = Handlers<typeof apiRegistryContract>;

/** An event of one API, delivered after the API's earlier ones. */
export function toApiEvent<Type extends ApiEvent["type"], Payload extends { apiId: string }>(
  type: Type,
  organizationId: string,
  payload: Payload,
) {
  return { type, organizationId, resource: `api/${payload.apiId}`, payload };
}

/** @throws Problem not_found, also for another organization's API */
export async function requireApi(context: RegistryContext, organizationId: string, apiId: string): Promise<ApiRow> {
  const api = await findApi(context.db, organizationId, apiId);
  if (!api) throw notFound("API");
  return api;
}
