import type { AlertRuleCode } from "#contracts/code/alerting.ts";
import { Problem } from "#contracts/kit/problem.ts";
import { type AlertPolicy, alertPolicy } from "#contracts/test-analyzer/alert-rules.ts";
import type { JsonRecord } from "#libraries/json/json-value.ts";
import { isTimeZone } from "#libraries/time-zone/wall-clock.ts";
import type { ChangeContext, CodeContext, Fail, ServedKind } from "../../../kit/code/code-kind.ts";
import { readObjects } from "../../../kit/code/read-objects.ts";
import { isUniqueViolation } from "../../../kit/database/database.ts";
import { findRule, insertRule, type RuleRow, removeRule, updateRule } from "../../store/alert-rules.ts";
import type { AnalyzerDatabase, AnalyzerTables } from "../../store/tables.ts";

interface CodedRule extends Pick<RuleRow, "scope_kind" | "scope_id" | "channel_ids"> {
  policy: AlertPolicy;
}

/** Undefined for an API or a circle that was deleted: the rule follows. */
function toScope({ scope_kind, scope_id }: Pick<RuleRow, "scope_kind" | "scope_id">, { references }: CodeContext) {
  if (scope_kind === "organization") return { kind: "organization" };
  const key = references.keyOf(scope_kind, scope_id);
  return key ? { kind: scope_kind, [scope_kind]: key } : undefined;
}

function readScope({ scope }: AlertRuleCode, { organizationId, references }: ChangeContext, fail: Fail) {
  if (scope.kind === "organization") return { scope_kind: scope.kind, scope_id: organizationId };
  const key = scope.kind === "api" ? scope.api : scope.circle;
  const id = references.idOf(scope.kind, key);
  if (!id) fail(`scope.${scope.kind}`, scope.kind === "api" ? `There is no API ${key}` : `There is no circle ${key}`);
  return { scope_kind: scope.kind, scope_id: id ?? organizationId };
}

/** Alert rules of files. */
export function createAlertRuleKind({ db }: { db: AnalyzerDatabase }): ServedKind<CodedRule, AnalyzerTables> {
  return {
    kind: "alertRule",
    ...{ table: "alert_rules", idColumn: "id", keyText: "scope_kind || ':' || scope_id" },

    toKey(text, { references }) {
      const [kind, id = ""] = text.split(":") as [RuleRow["scope_kind"], string];
      if (kind === "organization") return kind;
      return `${kind}-${references.keyOf(kind, id) ?? "deleted"}`;
    },

    async list(executor, query, context) {
      const rows = await readObjects<RuleRow>(executor, this, query, context);
      return rows.flatMap((row) => {
        const scope = toScope(row, context);
        if (!scope) return [];
        const channels = row.channel_ids.flatMap((id) => context.references.keyOf("alertChannel", id) ?? []);
        const value = { ...alertPolicy.parse(row.policy), scope, channels } as unknown as JsonRecord;
        return [{ id: row.id, name: `Alert rule of the ${row.scope_kind}`, value }];
      });
    },

    async resolve(changes, context, fail) {
      const { organizationId, references } = context;
      return await Promise.all(
        changes.map(async (change) => {
          const value = change.value as unknown as AlertRuleCode;
          const report = fail(change);
          const { scope: _scope, channels, ...policy } = value;
          const where = readScope(value, context, report);
          const channel_ids = [...new Set(channels)].flatMap((key, index) => {
            const id = references.idOf("alertChannel", key);
            if (!id) report(`channels[${index}]`, `There is no channel ${key}`);
            return id ?? [];
          });
          if (policy.quietHours && !isTimeZone(policy.quietHours.timeZone))
            report("quietHours.timeZone", "Choose a time zone, e.g. Europe/Berlin");
          const before = change.action === "change" ? await findRule(db, organizationId, change.id) : undefined;
          if (before && (before.scope_kind !== where.scope_kind || before.scope_id !== where.scope_id))
            report("scope", "A rule keeps its scope: give the new one another key");
          return { change, input: { ...where, policy, channel_ids } };
        }),
      );
    },

    async write(transaction, items, { organizationId, now }) {
      for (const { change, input } of items) {
        const row = { ...input, id: change.id, organization_id: organizationId, updated_at: now };
        try {
          if (change.action === "create") await insertRule(transaction, { ...row, version: 1, created_at: now });
          else if (!(await updateRule(transaction, row, undefined)))
            throw new Problem("stale_version", `The alert rule ${change.key} has been deleted.`);
        } catch (error) {
          if (!isUniqueViolation(error, "alert_rules_scope")) throw error;
          const message = "There is a rule for this already: change that one";
          const errors = [{ path: `objects[${change.index}].value.scope`, message }];
          throw new Problem("invalid_input", message, { errors });
        }
      }
      return [];
    },

    async remove(transaction, ids, { organizationId }) {
      for (const id of ids) await removeRule(transaction, organizationId, id, undefined);
      return [];
    },
  };
}
