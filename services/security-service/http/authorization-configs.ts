import { uuidv7 } from "uuidv7";
import { notFound, Problem } from "#contracts/kit/problem.ts";
import type {
  AuthorizationConfig,
  AuthorizationConfigInput,
} from "#contracts/security-service/authorization-configs.ts";
import type { securityServiceContract } from "#contracts/security-service/contract.ts";
import type { Clock } from "../../kit/clock/clock.ts";
import { type Executor, isUniqueViolation } from "../../kit/database/database.ts";
import { decodeCursor, pageFrom } from "../../kit/database/keyset.ts";
import type { Handlers } from "../../kit/service/service.ts";
import { domainsCovering, findDomainError } from "../domain/domain-binding.ts";
import {
  type ConfigRow,
  findConfig,
  insertConfig,
  listConfigs,
  removeConfig,
  updateConfig,
} from "../store/authorization-configs.ts";
import { findCredential } from "../store/credentials.ts";
import { findDomain } from "../store/domains.ts";
import type { SecurityDatabase, SecurityTables } from "../store/tables.ts";
import { requireDomain } from "./domain-rows.ts";

type ConfigHandlers = Pick<
  Handlers<typeof securityServiceContract>,
  | "listAuthorizationConfigs"
  | "listDomainAuthorizationConfigs"
  | "createAuthorizationConfig"
  | "getAuthorizationConfig"
  | "changeAuthorizationConfig"
  | "deleteAuthorizationConfig"
>;

function toConfig(row: ConfigRow): AuthorizationConfig {
  return {
    id: row.id,
    domain: row.domain,
    schemeName: row.scheme_name,
    credentialId: row.credential_id,
    credentialName: row.credential_name,
    credentialFits: domainsCovering(row.domain).includes(row.credential_domain),
    type: row.type,
    settings: row.settings,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

function refuse(path: string, message: string): never {
  throw new Problem("invalid_input", undefined, { errors: [{ path, message }] });
}

async function requireFreeScheme<T>({ domain, schemeName }: AuthorizationConfigInput, write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    if (!isUniqueViolation(error, "authorization_configs_scheme")) throw error;
    throw new Problem("conflict", `${domain} has an authorization config for ${schemeName} already.`, {
      errors: [{ path: "schemeName", message: "This domain has a config for this scheme already" }],
    });
  }
}

const audited = ({ domain, schemeName, credentialId }: AuthorizationConfigInput) => ({
  domain,
  schemeName,
  credentialId,
});

/** Creates the handlers of the configs that satisfy the security schemes of documents. */
export function createAuthorizationConfigHandlers({ db, clock }: { db: SecurityDatabase; clock: Clock }) {
  /** A credential that can't be sent to the domain would authorize nothing there. */
  async function requireFitting(
    transaction: Executor<SecurityTables>,
    organizationId: string,
    input: AuthorizationConfigInput,
  ) {
    const credential = await findCredential(transaction, organizationId, input.credentialId);
    if (!credential) refuse("credentialId", "No such credential");
    if (!domainsCovering(input.domain).includes(credential.domain)) {
      refuse("credentialId", `${credential.name} may be sent to ${credential.domain} only`);
    }
  }

  async function requireConfig(organizationId: string, id: string): Promise<ConfigRow> {
    const row = await findConfig(db, organizationId, id);
    if (!row) throw notFound("authorization config");
    return row;
  }

  async function findPage(
    organizationId: string,
    query: { limit: number; cursor?: string; query?: string },
    domains?: string[],
  ) {
    const [domain, schemeName] = query.cursor === undefined ? [] : decodeCursor(query.cursor, 2).map(String);
    const after = domain !== undefined && schemeName !== undefined ? { domain, schemeName } : undefined;
    const rows = await listConfigs(db, organizationId, { domains, query: query.query, limit: query.limit, after });
    return pageFrom(rows, query.limit, (row) => [row.domain, row.scheme_name], toConfig);
  }

  const handlers: ConfigHandlers = {
    listAuthorizationConfigs: ({ caller, query }) => findPage(caller.organizationId, query),

    async listDomainAuthorizationConfigs({ caller, params, query }) {
      const domains = domainsCovering(params.domain);
      if (domains.length === 0) return { items: [], nextCursor: null };
      return await findPage(caller.organizationId, query, domains);
    },

    async createAuthorizationConfig({ caller, body, log, record }) {
      const error = findDomainError(body.domain);
      if (error) refuse("domain", error);
      const { organizationId } = caller;
      const id = uuidv7();
      const now = clock.now();
      const stored = db.transaction().execute(async (transaction) => {
        await requireFitting(transaction, organizationId, body);
        await requireDomain(transaction, { organization_id: organizationId, domain: body.domain }, now);
        const domain = await findDomain(transaction, organizationId, { name: body.domain });
        await insertConfig(transaction, {
          id,
          organization_id: organizationId,
          domain_id: domain!.id,
          scheme_name: body.schemeName,
          credential_id: body.credentialId,
          created_at: now,
          updated_at: now,
        });
        await record(transaction, { id, after: audited(body) });
      });
      await requireFreeScheme(body, stored);
      log.info({ authorizationConfigId: id, userId: caller.userId }, "authorization config created");
      return toConfig(await requireConfig(organizationId, id));
    },

    getAuthorizationConfig: async ({ caller, params }) =>
      toConfig(await requireConfig(caller.organizationId, params.authorizationConfigId)),

    async changeAuthorizationConfig({ caller, params, body, record }) {
      const { organizationId } = caller;
      const before = toConfig(await requireConfig(organizationId, params.authorizationConfigId));
      if (before.domain !== body.domain) refuse("domain", "A config keeps its domain; create another one");
      const changed = db.transaction().execute(async (transaction) => {
        await requireFitting(transaction, organizationId, body);
        const location = { id: before.id, organization_id: organizationId };
        const { schemeName: scheme_name, credentialId: credential_id } = body;
        const changes = { scheme_name, credential_id, updated_at: clock.now() };
        if (!(await updateConfig(transaction, location, changes))) throw notFound("authorization config");
        await record(transaction, { id: before.id, before: audited(before), after: audited(body) });
      });
      await requireFreeScheme(body, changed);
      return toConfig(await requireConfig(organizationId, before.id));
    },

    async deleteAuthorizationConfig({ caller, params, log, record }) {
      const { organizationId } = caller;
      const before = toConfig(await requireConfig(organizationId, params.authorizationConfigId));
      await db.transaction().execute(async (transaction) => {
        if (!(await removeConfig(transaction, organizationId, before.id))) throw notFound("authorization config");
        await record(transaction, { id: before.id, before: audited(before) });
      });
      log.info({ authorizationConfigId: before.id, userId: caller.userId }, "authorization config deleted");
      return undefined;
    },
  };
  return handlers;
}
