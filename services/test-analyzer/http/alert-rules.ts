import { uuidv7 } from "uuidv7";
import type { apiRegistryContract } from "#contracts/api-registry/contract.ts";
import { type FieldError, notFound, Problem } from "#contracts/kit/problem.ts";
import type { AlertRule, AlertRuleInput, AlertScope } from "#contracts/test-analyzer/alert-rules.ts";
import type { testAnalyzerContract } from "#contracts/test-analyzer/contract.ts";
import type { testRegistryContract } from "#contracts/test-registry/contract.ts";
import { isTimeZone } from "#libraries/time-zone/wall-clock.ts";
import type { Connect } from "../../kit/client/client.ts";
import type { Clock } from "../../kit/clock/clock.ts";
import { isUniqueViolation } from "../../kit/database/database.ts";
import { pageFrom, readIdCursor } from "../../kit/database/keyset.ts";
import type { Identity } from "../../kit/identity/identity.ts";
import { entityTag, parseIfMatch } from "../../kit/service/entity-tag.ts";
import { type ResourceFinders, requireFiltered } from "../../kit/service/resource-filters.ts";
import type { Handlers } from "../../kit/service/service.ts";
import { toScope } from "../domain/incident/rule-in-force.ts";
import { runsCounted } from "../domain/incident/steadiness.ts";
import { findChannels } from "../store/alert-channels.ts";
import { findRule, insertRule, listRules, type RuleRow, removeRule, updateRule } from "../store/alert-rules.ts";
import type { AnalyzerDatabase } from "../store/tables.ts";
import { requireFromService } from "./service-result.ts";

type RuleHandlers = Pick<
  Handlers<typeof testAnalyzerContract>,
  "listRules" | "createRule" | "getRule" | "changeRule" | "deleteRule"
>;

function getScopeId(scope: AlertScope, organizationId: string): string {
  if (scope.kind === "organization") return organizationId;
  return scope.kind === "api" ? scope.apiId : scope.testCircleId;
}

function toAlertRule(row: RuleRow): AlertRule {
  return {
    id: row.id,
    scope: toScope({ scopeKind: row.scope_kind, scopeId: row.scope_id }),
    ...row.policy,
    afterRuns: runsCounted(row.policy),
    channelIds: row.channel_ids,
    version: row.version,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

function audited(row: RuleRow) {
  const { id: _, createdAt: _created, updatedAt: _updated, ...said } = toAlertRule(row);
  return said;
}

function stale(): Problem {
  return new Problem("stale_version", "Someone else changed this rule in the meantime. View again.");
}

/** Creates the handlers for alert rules. */
export function createRuleHandlers(parts: {
  db: AnalyzerDatabase;
  clock: Clock;
  apiRegistry: Connect<typeof apiRegistryContract>;
  testRegistry: Connect<typeof testRegistryContract>;
  finders: ResourceFinders;
}): RuleHandlers {
  const { db, clock, apiRegistry, testRegistry, finders } = parts;

  /** @throws Problem when a channel or the scope belongs to another organization */
  async function requireKnown(caller: Identity, requestId: string, { scope, channelIds, quietHours }: AlertRuleInput) {
    const known = new Set((await findChannels(db, caller.organizationId, channelIds)).map(({ id }) => id));
    const errors: FieldError[] = channelIds.flatMap((id, at) =>
      known.has(id) ? [] : [{ path: `channelIds[${at}]`, message: "This channel no longer exists" }],
    );
    if (quietHours && !isTimeZone(quietHours.timeZone)) {
      errors.push({ path: "quietHours.timeZone", message: "Choose a time zone, e.g. Europe/Berlin" });
    }
    if (scope.kind === "api") {
      const found = await apiRegistry({ token: caller.token, requestId }).summarizeApi({ params: scope });
      if (found.status === 404) errors.push({ path: "scope.apiId", message: "No such API" });
      else requireFromService(found);
    }
    if (scope.kind === "circle") {
      const found = await testRegistry({ token: caller.token, requestId }).getCircle({ params: scope });
      if (found.status === 404) errors.push({ path: "scope.testCircleId", message: "No such circle" });
      else requireFromService(found);
    }
    if (errors.length > 0) throw new Problem("invalid_input", undefined, { errors });
  }

  async function require(caller: Identity, ruleId: string): Promise<RuleRow> {
    const row = await findRule(db, caller.organizationId, ruleId);
    if (!row) throw notFound("alert rule");
    return row;
  }

  function showOne(row: RuleRow, headers: Headers): AlertRule {
    headers.set("etag", entityTag(row.version));
    return toAlertRule(row);
  }

  return {
    async listRules({ caller: { organizationId }, query: { limit, cursor, kind, channelId, ...of }, requestId }) {
      const organization = of.orOrganization === "true" ? organizationId : undefined;
      const scopeIds = [of.apiId, of.testCircleId, organization].filter((id) => id !== undefined);
      const after = cursor && readIdCursor(cursor);
      const filter = { kind, channelId, after, limit, ...(scopeIds.length > 0 ? { scopeIds } : {}) };
      const rows = await listRules(db, organizationId, filter);
      // The organization's own rule proves no API and no circle.
      const isProven = rows.some((row) => row.scope_kind !== "organization");
      if (!isProven) await requireFiltered(finders, { organizationId, requestId, operation: "listRules" }, of);
      return pageFrom(rows, limit, ({ id }) => [id], toAlertRule);
    },

    async createRule({ caller, body, requestId, record, answerHeaders }) {
      await requireKnown(caller, requestId, body);
      const { scope, channelIds, ...policy } = body;
      const now = clock.now();
      const row: RuleRow = {
        id: uuidv7(),
        organization_id: caller.organizationId,
        scope_kind: scope.kind,
        scope_id: getScopeId(scope, caller.organizationId),
        policy,
        channel_ids: [...new Set(channelIds)],
        version: 1,
        created_at: now,
        updated_at: now,
      };
      try {
        await db.transaction().execute(async (transaction) => {
          await insertRule(transaction, row);
          await record(transaction, { id: row.id, after: audited(row) });
        });
      } catch (error) {
        if (!isUniqueViolation(error, "alert_rules_scope")) throw error;
        const message = "There is a rule for this already: change that one.";
        throw new Problem("conflict", message, { errors: [{ path: "scope", message }] });
      }
      return showOne(row, answerHeaders);
    },

    async getRule({ caller, params, answerHeaders }) {
      return showOne(await require(caller, params.ruleId), answerHeaders);
    },

    async changeRule({ caller, params, body, request, requestId, record, answerHeaders }) {
      const stored = await require(caller, params.ruleId);
      const { scope, channelIds, ...policy } = body;
      if (scope.kind !== stored.scope_kind || getScopeId(scope, caller.organizationId) !== stored.scope_id) {
        const errors = [{ path: "scope", message: "A rule keeps its scope: create another one" }];
        throw new Problem("invalid_input", undefined, { errors });
      }
      await requireKnown(caller, requestId, { ...body, scope: { kind: "organization" } });
      const { id, organization_id } = stored;
      const changes = { policy, channel_ids: [...new Set(channelIds)], updated_at: clock.now() };
      const changed = await db.transaction().execute(async (transaction) => {
        const versions = parseIfMatch(request.headers.get("if-match"));
        const row = await updateRule(transaction, { id, organization_id, ...changes }, versions);
        if (!row) throw stale();
        await record(transaction, { id, before: audited(stored), after: audited(row) });
        return row;
      });
      return showOne(changed, answerHeaders);
    },

    async deleteRule({ caller, params, request, record }) {
      const { id } = await require(caller, params.ruleId);
      await db.transaction().execute(async (transaction) => {
        const versions = parseIfMatch(request.headers.get("if-match"));
        const removed = await removeRule(transaction, caller.organizationId, id, versions);
        if (!removed) throw stale();
        await record(transaction, { id, before: audited(removed) });
      });
      return undefined;
    },
  };
}
