import type { Logger } from "pino";
import { uuidv7 } from "uuidv7";
import { notFound, Problem } from "#contracts/kit/problem.ts";
import type { securityServiceContract } from "#contracts/security-service/contract.ts";
import type { Credential, CredentialInput } from "#contracts/security-service/credentials.ts";
import type { VaultReader } from "#libraries/vault-kv/vault-kv.ts";
import type { RecordChange } from "../../kit/audit/audit.ts";
import type { Clock } from "../../kit/clock/clock.ts";
import { isUniqueViolation } from "../../kit/database/database.ts";
import { decodeCursor, pageFrom } from "../../kit/database/keyset.ts";
import type { Identity } from "../../kit/identity/identity.ts";
import type { Handlers } from "../../kit/service/service.ts";
import type { Vault } from "../../kit/vault/vault.ts";
import { domainsCovering } from "../domain/domain-binding.ts";
import {
  type CredentialRow,
  findCredential,
  insertCredential,
  type ListedCredential,
  listCredentials,
  listCredentialsOfDomains,
  listNamedCredentials,
  removeCredential,
  updateCredential,
} from "../store/credentials.ts";
import { settingsFor } from "./credential-settings.ts";
import { createFindUses, type UseLookup } from "./credential-uses.ts";
import { requireDomain } from "./domain-rows.ts";
import { findCredentialErrors, secretFor } from "./given-credential.ts";
import { createReadReferencedSecret, type ResolvedSecret } from "./referenced-secrets.ts";

type CredentialHandlers = Pick<
  Handlers<typeof securityServiceContract>,
  | "listCredentials"
  | "listDomainCredentials"
  | "createCredential"
  | "getCredential"
  | "changeCredential"
  | "replaceSecret"
  | "deleteCredential"
  | "openCredentials"
>;

type Readable = Omit<CredentialRow, "sealed_secret">;

/** All fields but the secret, which only `openCredentials` returns. */
function toCredential(row: Readable, usedBy: Credential["usedBy"]): Credential {
  return {
    id: row.id,
    name: row.name,
    domain: row.domain,
    type: row.type,
    settings: row.settings,
    secretSet: row.reference === null,
    reference: row.reference,
    secretSetAt: row.secret_set_at.toISOString(),
    usedBy,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

const getPlace = (row: { organization_id: string; id: string }) => ({
  organizationId: row.organization_id,
  record: `credentials/${row.id}`,
});

/** A new credential with its secret sealed. */
export function toNewRow(
  vault: Vault,
  { id, organizationId, now }: { id: string; organizationId: string; now: Date },
  { name, domain, type, settings, secret, reference }: CredentialInput,
): CredentialRow {
  const location = { id, organization_id: organizationId };
  return {
    ...{ ...location, name, domain, type, settings: settingsFor(type, settings) },
    ...{ sealed_secret: vault.seal(secretFor(type, secret ?? ""), getPlace(location)), secret_set_at: now },
    ...{ reference: reference ?? null, created_at: now, updated_at: now },
  };
}

/** The caller that a response is for. */
interface Asking {
  caller: Identity;
  requestId: string;
}

/** The caller that makes a change, and where it is recorded. */
interface Changing extends Asking {
  log: Logger;
  record: RecordChange;
}

/** Drops fields that were not given. */
function getGiven<Given extends object>(given: Given): Given {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Given;
}

async function requireFreeName<T>(name: string, write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    if (!isUniqueViolation(error, "credentials_name")) throw error;
    throw new Problem("conflict", `There is already a credential named ${name}.`, {
      errors: [{ path: "name", message: "Another credential has this name" }],
    });
  }
}

/** Settings depend on the type, for example a client's id; the secret itself is never returned. */
export function auditedCredential({ name, domain, type, reference }: CredentialRow) {
  return { name, domain, type, ...(reference ? { reference } : {}) };
}

/** Creates the handlers of the organization's credentials. */
export function createCredentialHandlers(
  parts: { clock: Clock; vault: Vault; vaultReader: VaultReader; environmentPrefix: string | undefined } & UseLookup,
) {
  const { db, clock, vault } = parts;
  const readReferenced = createReadReferencedSecret(parts);
  const findUses = createFindUses(parts);

  function requireFaultless(input: CredentialInput, stored?: CredentialRow): void {
    const errors = findCredentialErrors(input, stored, parts.environmentPrefix);
    if (errors.length > 0) throw new Problem("invalid_input", undefined, { errors });
  }

  async function open(row: CredentialRow, leavesVault: boolean): Promise<ResolvedSecret> {
    if (row.reference) return await readReferenced(row, row.reference, leavesVault);
    return { secret: vault.open(row.sealed_secret, getPlace(row)) };
  }

  async function findOne({ caller, requestId }: Asking, row: CredentialRow): Promise<Credential> {
    const usesOf = await findUses(caller, requestId, [row]);
    return toCredential(row, usesOf?.(row) ?? null);
  }

  async function findPage(
    { caller, requestId }: Asking,
    query: { limit: number; cursor?: string; query?: string; usedBy: "true" | "false" },
    host?: string,
  ) {
    const domains = host ? domainsCovering(host) : undefined;
    if (domains?.length === 0) return { items: [], nextCursor: null };
    const afterName = query.cursor === undefined ? undefined : String(decodeCursor(query.cursor, 1)[0]);
    const filter = { domains, query: query.query, limit: query.limit, afterName };
    const rows = await listCredentials(db, caller.organizationId, filter);
    const usesOf = query.usedBy === "true" ? await findUses(caller, requestId, rows.slice(0, query.limit)) : undefined;
    const getCursor = (row: ListedCredential) => [row.sort_name];
    return pageFrom(rows, query.limit, getCursor, (row) => toCredential(row, usesOf?.(row) ?? null));
  }

  async function requireStored({ caller }: Asking, { credentialId }: { credentialId: string }) {
    const stored = await findCredential(db, caller.organizationId, credentialId);
    if (!stored) throw notFound("credential");
    return stored;
  }

  async function change(call: Changing, stored: CredentialRow, body: CredentialInput): Promise<Credential> {
    requireFaultless(body, stored);
    const now = clock.now();
    const { secret, reference } = body;
    const isGiven = secret !== undefined || reference !== undefined;
    const row: CredentialRow = {
      ...stored,
      name: body.name,
      domain: body.domain,
      type: body.type,
      settings: settingsFor(body.type, body.settings),
      ...(isGiven
        ? {
            sealed_secret: vault.seal(secretFor(body.type, secret ?? ""), getPlace(stored)),
            reference: reference ?? null,
            secret_set_at: now,
          }
        : {}),
      updated_at: now,
    };
    const { created_at: _, ...changes } = row;
    const changed = db.transaction().execute(async (transaction) => {
      if (!(await updateCredential(transaction, changes, stored))) return false;
      await requireDomain(transaction, row, now);
      const after = { ...auditedCredential(row), replaced: secret !== undefined };
      await call.record(transaction, { id: row.id, before: auditedCredential(stored), after });
      return true;
    });
    if (!(await requireFreeName(body.name, changed))) {
      throw new Problem("conflict", "Someone else changed this credential in the meantime. View again.");
    }
    call.log.info({ credentialId: row.id, userId: call.caller.userId }, "credential changed");
    return await findOne(call, row);
  }

  const handlers: CredentialHandlers = {
    listCredentials: ({ query, ...call }) => findPage(call, query, query.domain),

    listDomainCredentials: ({ params, query, ...call }) => findPage(call, query, params.domain),

    async createCredential({ caller, requestId, body, log, record }) {
      requireFaultless(body);
      const now = clock.now();
      const row = toNewRow(vault, { id: uuidv7(), organizationId: caller.organizationId, now }, body);
      const stored = db.transaction().execute(async (transaction) => {
        await insertCredential(transaction, row);
        await requireDomain(transaction, row, now);
        await record(transaction, { id: row.id, after: auditedCredential(row) });
      });
      await requireFreeName(body.name, stored);
      log.info({ credentialId: row.id, userId: caller.userId }, "credential created");
      return await findOne({ caller, requestId }, row);
    },

    async getCredential({ caller, requestId, params }) {
      const row = await findCredential(db, caller.organizationId, params.credentialId);
      if (!row) throw notFound("credential");
      return await findOne({ caller, requestId }, row);
    },

    async changeCredential({ params, body, ...call }) {
      return await change(call, await requireStored(call, params), body);
    },

    async replaceSecret({ params, body: { secret, ...given }, ...call }) {
      const stored = await requireStored(call, params);
      const settings = settingsFor(stored.type, { ...stored.settings, ...getGiven(given) });
      const { name, domain, type } = stored;
      return await change(call, stored, { name, domain, type, settings, secret });
    },

    async deleteCredential({ caller, params, log, record }) {
      await db.transaction().execute(async (transaction) => {
        const before = await findCredential(transaction, caller.organizationId, params.credentialId);
        const removed = before && (await removeCredential(transaction, caller.organizationId, before.id));
        if (!removed) throw notFound("credential");
        await record(transaction, { id: before.id, before: auditedCredential(before) });
      });
      log.info({ credentialId: params.credentialId, userId: caller.userId }, "credential deleted");
      return undefined;
    },

    async openCredentials({ caller, body }) {
      const domains = domainsCovering(body.host);
      const ids = body.credentialIds;
      const rows = ids
        ? await listNamedCredentials(db, caller.organizationId, ids)
        : await listCredentialsOfDomains(db, caller.organizationId, domains);
      const rank = (row: CredentialRow) => domains.indexOf(row.domain);
      const fitting = rows.filter((row) => rank(row) >= 0).sort((one, other) => rank(one) - rank(other));
      const refused = (ids ?? [])
        .filter((id) => !fitting.some((row) => row.id === id))
        .map((id) => ({ id, reason: rows.some((row) => row.id === id) ? "other_domain" : "not_found" }) as const);
      return {
        items: await Promise.all(
          fitting.map(async (row) => ({
            id: row.id,
            name: row.name,
            type: row.type,
            settings: row.settings,
            ...(await open(row, body.leavesVault)),
          })),
        ),
        refused,
      };
    },
  };
  return handlers;
}
