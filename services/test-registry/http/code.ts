import { uuidv7 } from "uuidv7";
import type { ApiCode } from "#contracts/code/api.ts";
import type { CircleCode } from "#contracts/code/circle.ts";
import { type CodeKind, codeKinds } from "#contracts/code/objects.ts";
import type { PartObject } from "#contracts/code/parts.ts";
import type { CodeToApply, PlannedChange } from "#contracts/code/plans.ts";
import type { Scope } from "#contracts/kit/endpoint.ts";
import { notFound, Problem } from "#contracts/kit/problem.ts";
import type { CodeApplication, PulledItem } from "#contracts/test-registry/code.ts";
import type { testRegistryContract } from "#contracts/test-registry/contract.ts";
import type { JsonRecord } from "#libraries/json/json-value.ts";
import { isUniqueViolation } from "../../kit/database/database.ts";
import { encodeCursor, readCursor } from "../../kit/database/keyset.ts";
import { findCreated, readIdempotencyKey, reserveKey } from "../../kit/idempotency/idempotency-key.ts";
import type { Identity } from "../../kit/identity/identity.ts";
import type { Handlers } from "../../kit/service/service.ts";
import { changesReference } from "../../kit/vault/changed-references.ts";
import { findChangedFields } from "../domain/changed-fields.ts";
import type { Compared } from "../domain/code-plan.ts";
import { type CodeApplicationParts, secretsContext } from "../jobs/code-applications.ts";
import {
  type ApplicationRow,
  type CodeWork,
  findApplication,
  insertApplication,
  isOperating,
} from "../store/code-applications.ts";
import { keyTable } from "../store/tables.ts";
import { createPlanning, type Planned } from "./code/planning.ts";
import { createReadPortal, partOfKind } from "./code/portal-objects.ts";

type CodeHandlers = Pick<
  Handlers<typeof testRegistryContract>,
  "pullCode" | "planCode" | "applyCode" | "getCodeApplication" | "getManagedObject"
>;

function requireScopes({ kind, scopes }: Identity, ...needed: Scope[]): void {
  const missing = needed.filter((scope) => kind !== "service" && !scopes.includes(scope));
  if (missing.length > 0) throw new Problem("forbidden", `This needs ${missing.join(" and ")}, too.`);
}

function toApplication(row: ApplicationRow): CodeApplication {
  const { id, state, counts, done, problem, repository, commit } = row;
  return {
    ...{ id, state, counts, done, problem, repository, commit, startedBy: row.started_by },
    ...{ startedAt: row.started_at.toISOString(), endedAt: row.ended_at?.toISOString() ?? null },
  };
}

function toPulled({ secretsDiffer: _, applied, ...object }: PartObject): PulledItem {
  const isDrifted = applied !== null && applied.hash !== object.hash;
  return {
    ...object,
    applied: applied && { repository: applied.repository, commit: applied.commit, at: applied.at, isDrifted },
    drift: isDrifted ? findChangedFields(applied.value, object.value) : [],
  };
}

/** What an application is refused for, although its files are valid. */
function requireApplicable({ plan }: Planned, { version, overwrite, prune }: CodeToApply): void {
  if (version !== undefined && plan.version !== version)
    throw new Problem("stale_version", "Something was changed since the plan. Make another plan.");
  const isOverwritten = ({ action, changedIn }: PlannedChange) =>
    changedIn !== "files" && (action !== "delete" || prune);
  const overwritten = plan.items.filter(isOverwritten);
  if (overwritten.length > 0 && !overwrite) {
    const names = overwritten.slice(0, 5).map(({ name }) => name);
    const more = overwritten.length > names.length ? ` and ${overwritten.length - names.length} more` : "";
    throw new Problem(
      "conflict",
      `This would overwrite changes that were made in the portal: ${names.join(", ")}${more}.`,
    );
  }
  const secrets = plan.missingSecrets.map((name) => ({
    path: `secrets.${name}`,
    message: `Send the value of the secret ${name}`,
  }));
  const documents = plan.missingDocuments.map((hash) => ({
    path: `documents.${hash}`,
    message: "Send this document's text",
  }));
  const errors = [...secrets, ...documents];
  if (errors.length > 0) throw new Problem("invalid_input", undefined, { errors });
}

/** Whether a circle or an API of the files names another location of a secret than the portal has. */
function refersElsewhere({ file, portal }: Compared): boolean {
  if (file?.kind === "circle")
    return changesReference(referencesOfCircle(file.value), referencesOfCircle(portal?.value));
  if (file?.kind === "api") return changesReference(referencesOfApi(file.value), referencesOfApi(portal?.value));
  return false;
}

type Given = CircleCode["variables"][number]["value"];

const toReferences = (name: string, given: Given) =>
  typeof given === "object" && "reference" in given ? [{ name, reference: given.reference }] : [];

function referencesOfCircle(value: JsonRecord | undefined) {
  const variables = (value?.variables ?? []) as CircleCode["variables"];
  return variables.flatMap(({ name, value: given }) => toReferences(name, given));
}

function referencesOfApi(value: JsonRecord | undefined) {
  const { variables = {}, environments = [] } = (value ?? {}) as Partial<Pick<ApiCode, "variables" | "environments">>;
  const listOf = (values: ApiCode["variables"], environment: string) =>
    Object.entries(values).flatMap(([name, given]) => toReferences(JSON.stringify([environment, name]), given));
  return [...listOf(variables, ""), ...environments.flatMap(({ name, variables: own = {} }) => listOf(own, name))];
}

function countWork(parts: CodeWork["parts"]): CodeApplication["counts"] {
  const all = Object.values(parts).flatMap(({ changes, deletions }) => [...changes, ...deletions]);
  const count = (action: string) => all.filter((one) => one.action === action).length;
  return { create: count("create"), change: count("change"), delete: count("delete") };
}

function withoutDeletions(work: CodeWork): CodeWork {
  const parts = Object.entries(work.parts).map(([name, part]) => [name, { ...part, deletions: [] }]);
  return { ...work, parts: Object.fromEntries(parts) as CodeWork["parts"] };
}

/** Undefined for a position that no list has. */
function readAfter(cursor: string): { kind: CodeKind; id: string } | undefined {
  const [kind, id] = readCursor(cursor, ["text", "id"]);
  const known = codeKinds.find((one) => one === kind);
  return known && { kind: known, id: String(id) };
}

const underWay = () =>
  new Problem("conflict", "Other files are being applied to the organization. Wait until that has ended.");

/** Creates the handlers that read an organization as files, compare files with it and apply them. */
export function createCodeHandlers(parts: CodeApplicationParts & { wake: () => void }): CodeHandlers {
  const { db, clock, vault, doors, wake } = parts;
  const readPortal = createReadPortal(doors);
  const plan = createPlanning({ doors, readPortal });

  async function require(organizationId: string, applicationId: string): Promise<CodeApplication> {
    const row = await findApplication(db, { organizationId, applicationId });
    if (!row) throw notFound("application");
    return toApplication(row);
  }

  return {
    async pullCode({ caller, query, requestId }) {
      requireScopes(caller, "apis:read");
      const { organizationId } = caller;
      const items: PulledItem[] = [];
      let after = query.cursor === undefined ? null : readAfter(query.cursor);
      if (after === undefined) return { items, nextCursor: null };
      do {
        const page = { ...(query.api ? { api: query.api } : {}), after, limit: query.limit };
        const read = await readPortal.readPage({ organizationId, requestId }, page);
        items.push(...read.items.map(toPulled).filter(({ applied }) => !query.drifted || applied?.isDrifted));
        after = read.next;
        // Few objects of many are drifted: a page of them is no empty one before the last.
      } while (after && query.drifted && items.length === 0);
      return { items, nextCursor: after && encodeCursor([after.kind, after.id]) };
    },

    async planCode({ caller: { organizationId, ...caller }, body, requestId }) {
      requireScopes({ ...caller, organizationId }, "apis:read");
      return (await plan({ organizationId, requestId }, body)).plan;
    },

    async applyCode({ caller, body, request, requestId, log, record }) {
      requireScopes(caller, "apis:read", "tests:read");
      const { organizationId } = caller;
      const key = readIdempotencyKey(request, { ...body, secrets: undefined });
      const earlier = key && (await findCreated(db, keyTable, { ...key, organizationId }));
      if (earlier) {
        await record(db);
        return await require(organizationId, earlier);
      }
      if (await isOperating(db, organizationId)) throw underWay();
      const planned = await plan({ organizationId, requestId }, body);
      requireApplicable(planned, body);
      const work = body.prune ? planned.work : withoutDeletions(planned.work);
      const { changes, deletions } = work.parts["api-registry"];
      if (changes.length + deletions.length > 0) requireScopes(caller, "apis:write");
      if (planned.compared.some(refersElsewhere)) requireScopes(caller, "credentials:manage");
      const id = uuidv7();
      const now = clock.now();
      const row: ApplicationRow = {
        ...{ id, organization_id: organizationId, state: "applying", steps_done: 0, tries: 0, work },
        sealed_secrets: vault.seal(JSON.stringify(body.secrets), secretsContext(organizationId, id)),
        ...{ counts: countWork(work.parts), done: { create: 0, change: 0, delete: 0 }, problem: null },
        ...{ ...body.provenance, started_by: caller.name, started_at: now, ended_at: null, claimed_until: null },
      };
      const stored = db.transaction().execute(async (transaction) => {
        const first = key && (await reserveKey(transaction, keyTable, { ...key, organizationId, makes: id, now }));
        if (first) {
          await record(transaction);
          return first;
        }
        await insertApplication(transaction, row);
        await record(transaction, {
          id,
          after: { ...body.provenance, ...row.counts, prune: body.prune, overwrite: body.overwrite },
        });
        return id;
      });
      const created = await stored.catch((error: unknown) => {
        throw isUniqueViolation(error, "code_operations_open") ? underWay() : error;
      });
      log.info({ applicationId: created, userId: caller.userId, ...row.counts }, "files are being applied");
      wake();
      return await require(organizationId, created);
    },

    getManagedObject: ({ caller: { organizationId }, params, requestId }) =>
      doors[partOfKind[params.kind]].findManaged({ organizationId, requestId }, params),

    getCodeApplication: ({ caller, params }) => require(caller.organizationId, params.applicationId),
  };
}
