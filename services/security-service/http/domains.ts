import { z } from "@hono/zod-openapi";
import { notFound, Problem } from "#contracts/kit/problem.ts";
import type { securityServiceContract } from "#contracts/security-service/contract.ts";
import type { Domain, DomainInput } from "#contracts/security-service/domains.ts";
import type { Clock } from "../../kit/clock/clock.ts";
import { isUniqueViolation } from "../../kit/database/database.ts";
import { decodeCursor, pageFrom } from "../../kit/database/keyset.ts";
import type { Handlers } from "../../kit/service/service.ts";
import { findDomainError } from "../domain/domain-binding.ts";
import { findMethodError, getProofLocations, usualMethod } from "../domain/domain-proof.ts";
import type { LookForProof } from "../domain-proof/look-for-proof.ts";
import {
  type CountedDomain,
  type DomainRow,
  findDomain,
  insertDomain,
  listDomains,
  lockDomain,
  removeDomain,
  updateDomain,
} from "../store/domains.ts";
import { isSignOnDomain } from "../store/single-sign-on.ts";
import type { SecurityDatabase } from "../store/tables.ts";
import { keepProofResult, newDomain } from "./domain-rows.ts";

type DomainHandlers = Pick<
  Handlers<typeof securityServiceContract>,
  "listDomains" | "createDomain" | "getDomain" | "changeDomain" | "deleteDomain" | "checkDomain"
>;

function toDomain(row: CountedDomain): Domain {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    verification: {
      state: row.state,
      method: row.method,
      token: row.token,
      checkedAt: row.checked_at?.toISOString() ?? null,
      provenAt: row.proven_at?.toISOString() ?? null,
      missedChecks: row.missed_checks,
      failure: row.failure,
      ...getProofLocations(row.name, row.token),
    },
    unsafeMethods: row.unsafe_methods,
    credentialCount: row.credential_count,
    authorizationConfigCount: row.config_count,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

function requireFaultless({ name, method }: DomainInput, stored?: DomainRow): void {
  const nameError =
    stored && stored.name !== name ? "A domain keeps its name; create another one" : findDomainError(name);
  const methodError = nameError ? undefined : method && findMethodError(name, method);
  const errors = [
    ...(nameError ? [{ path: "name", message: nameError }] : []),
    ...(methodError ? [{ path: "method", message: methodError }] : []),
  ];
  if (errors.length > 0) throw new Problem("invalid_input", undefined, { errors });
}

/** A domain as audit records describe it. */
function audited({ name, description, method, state, unsafe_methods: unsafeMethods }: DomainRow) {
  return { name, description, method, state, unsafeMethods };
}

/** Creates the handlers of the organization's domains. */
export function createDomainHandlers(parts: { db: SecurityDatabase; clock: Clock; lookForProof: LookForProof }) {
  const { db, clock, lookForProof } = parts;

  const handlers: DomainHandlers = {
    async listDomains({ caller, query }) {
      const { limit, state, cursor } = query;
      const afterName = cursor === undefined ? undefined : String(decodeCursor(cursor, 1)[0]);
      const rows = await listDomains(db, caller.organizationId, { query: query.query, state, limit, afterName });
      return pageFrom(rows, limit, ({ name }) => [name], toDomain);
    },

    async createDomain({ caller, body, log, record }) {
      requireFaultless(body);
      const row = { ...newDomain(caller.organizationId, body.name, clock.now()), description: body.description ?? "" };
      row.method = body.method ?? row.method;
      row.unsafe_methods = body.unsafeMethods ?? row.unsafe_methods;
      try {
        await db.transaction().execute(async (transaction) => {
          await insertDomain(transaction, row);
          await record(transaction, { id: row.id, after: audited(row) });
        });
      } catch (error) {
        if (!isUniqueViolation(error, "domains_name")) throw error;
        throw new Problem("conflict", `There is already a domain named ${row.name}.`, {
          errors: [{ path: "name", message: "There is already a domain of this name" }],
        });
      }
      log.info({ domainId: row.id, userId: caller.userId }, "domain created");
      return toDomain({ ...row, credential_count: 0, config_count: 0 });
    },

    async getDomain({ caller, params }) {
      const text = params.domain.trim().toLowerCase();
      const named = await findDomain(db, caller.organizationId, { name: text });
      const isId = z.uuid().safeParse(text).success;
      const row = named ?? (isId ? await findDomain(db, caller.organizationId, { id: text }) : undefined);
      if (!row) throw notFound("domain");
      return toDomain(row);
    },

    async changeDomain({ caller, params, body, record }) {
      const changed = await db.transaction().execute(async (transaction) => {
        const stored = await lockDomain(transaction, caller.organizationId, params.domain);
        if (!stored) throw notFound("domain");
        requireFaultless(body, stored);
        const changes = {
          description: body.description ?? "",
          method: body.method ?? usualMethod(stored.name),
          unsafe_methods: body.unsafeMethods ?? ("allowed" as const),
          updated_at: clock.now(),
        };
        await updateDomain(transaction, stored, changes);
        await record(transaction, {
          id: stored.id,
          before: audited(stored),
          after: audited({ ...stored, ...changes }),
        });
        return await findDomain(transaction, caller.organizationId, { id: stored.id });
      });
      return toDomain(changed!);
    },

    async deleteDomain({ caller, params, log, record }) {
      await db.transaction().execute(async (transaction) => {
        const stored = await lockDomain(transaction, caller.organizationId, params.domain);
        if (!stored) throw notFound("domain");
        const { credential_count: bound } = (await findDomain(transaction, caller.organizationId, { id: stored.id }))!;
        if (bound > 0) {
          const are = bound === 1 ? "1 credential is" : `${bound} credentials are`;
          throw new Problem("conflict", `${are} bound to ${stored.name}. Delete or move what is bound to it first.`);
        }
        if (await isSignOnDomain(transaction, caller.organizationId, stored.id))
          throw new Problem(
            "conflict",
            `People at ${stored.name} sign in with single sign-on. Take it out there first.`,
          );
        await removeDomain(transaction, caller.organizationId, stored.id);
        await record(transaction, { id: stored.id, before: audited(stored) });
      });
      log.info({ domainId: params.domain, userId: caller.userId }, "domain deleted");
      return undefined;
    },

    async checkDomain({ caller, params, log, record }) {
      const requested = await findDomain(db, caller.organizationId, { id: params.domain });
      if (!requested) throw notFound("domain");
      const result = await lookForProof(requested);
      const checked = await db.transaction().execute(async (transaction) => {
        const stored = await lockDomain(transaction, caller.organizationId, params.domain);
        if (!stored) throw notFound("domain");
        const changes = await keepProofResult(transaction, stored, result, { now: clock.now(), counted: false });
        const after = { state: changes.state, outcome: result.outcome, failure: changes.failure };
        await record(transaction, { id: stored.id, before: { state: stored.state }, after });
        return await findDomain(transaction, caller.organizationId, { id: stored.id });
      });
      log.info({ domainId: params.domain, outcome: result.outcome, state: checked!.state }, "domain checked");
      return toDomain(checked!);
    },
  };
  return handlers;
}
