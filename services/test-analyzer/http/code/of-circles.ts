import type { ServiceLevelCode, StatusPageCode } from "#contracts/code/alerting.ts";
import { Problem } from "#contracts/kit/problem.ts";
import type { JsonRecord } from "#libraries/json/json-value.ts";
import type { Change, ChangeContext, CodeContext, Fail, ServedKind } from "../../../kit/code/code-kind.ts";
import { readObjects } from "../../../kit/code/read-objects.ts";
import { isUniqueViolation } from "../../../kit/database/database.ts";
import { isReserved, newAddress } from "../../domain/status-page.ts";
import {
  findServiceLevels,
  putServiceLevel,
  removeServiceLevel,
  type ServiceLevelRow,
} from "../../store/service-levels.ts";
import {
  findStatusPage,
  insertStatusPage,
  removeStatusPage,
  type StatusPageRow,
  updateStatusPage,
} from "../../store/status-pages.ts";
import type { AnalyzerTables } from "../../store/tables.ts";

/** A circle has at most one of a kind: its id and key are the circle's. */
const ofCircle = {
  idColumn: "test_circle_id",
  keyText: "test_circle_id::text",
  toKey: (circleId: string, { references }: CodeContext) => references.keyOf("circle", circleId) ?? "deleted",
};

function requireCircle({ key, id }: Change, { references }: ChangeContext, fail: Fail): void {
  if (references.idOf("circle", key) !== id) fail("", `There is no circle ${key}`);
}

/** Service levels of files. */
export function createServiceLevelKind(): ServedKind<ServiceLevelCode, AnalyzerTables> {
  return {
    ...{ kind: "serviceLevel", table: "service_levels", ...ofCircle },
    unrestored: ["burning_since", "burn_told", "look_at"],

    async list(executor, query, context) {
      const rows = await readObjects<ServiceLevelRow>(executor, this, query, context);
      return rows.map(({ test_circle_id: id, objective, days, counts }) => ({
        ...{ id, name: `${objective} % in ${days} days`, value: { objective, days, counts } },
      }));
    },

    async resolve(changes, context, fail) {
      return changes.map((change) => {
        requireCircle(change, context, fail(change));
        return { change, input: change.value as unknown as ServiceLevelCode };
      });
    },

    async write(transaction, items, { organizationId, now }) {
      for (const { change, input } of items) {
        const { objective, days, counts } = input;
        const row = { organization_id: organizationId, test_circle_id: change.id, objective, days, counts };
        await putServiceLevel(transaction, { ...row, created_at: now, updated_at: now }, undefined);
      }
      return [];
    },

    async remove(transaction, ids, { organizationId }) {
      for (const id of ids) await removeServiceLevel(transaction, organizationId, id);
      return [];
    },

    async restored(transaction, ids, { organizationId, now }) {
      for (const level of await findServiceLevels(transaction, organizationId, ids))
        await putServiceLevel(transaction, { ...level, updated_at: now }, undefined);
      return [];
    },
  };
}

/** Status pages of files. */
export function createStatusPageKind(): ServedKind<StatusPageCode, AnalyzerTables> {
  return {
    ...{ kind: "statusPage", table: "status_pages", ...ofCircle },

    async list(executor, query, context) {
      const rows = await readObjects<StatusPageRow>(executor, this, query, context);
      return rows.map((row) => {
        const { title, text, message, shows_incidents: showsIncidents } = row;
        const name = row.is_named ? row.address : undefined;
        return {
          id: row.test_circle_id,
          name: title,
          value: { title, text, message, name, showsIncidents } as JsonRecord,
        };
      });
    },

    async resolve(changes, context, fail) {
      return changes.map((change) => {
        const input = change.value as unknown as StatusPageCode;
        const report = fail(change);
        requireCircle(change, context, report);
        if (input.name && isReserved(input.name)) report("name", "This name is the portal's own: choose another");
        return { change, input };
      });
    },

    async write(transaction, items, { organizationId, now }) {
      for (const { change, input } of items) {
        const { title, text, message, name, showsIncidents } = input;
        const stored = await findStatusPage(transaction, organizationId, change.id);
        const keepsAddress = stored && !stored.is_named;
        const row = {
          ...{
            organization_id: organizationId,
            test_circle_id: change.id,
            title,
            text,
            shows_incidents: showsIncidents,
          },
          ...{ address: name ?? (keepsAddress ? stored.address : newAddress()), is_named: name !== undefined },
          ...{ message, message_at: message && message === stored?.message ? stored.message_at : message ? now : null },
          updated_at: now,
        };
        try {
          if (stored) await updateStatusPage(transaction, row, undefined);
          else await insertStatusPage(transaction, { ...row, version: 1, created_at: now });
        } catch (error) {
          if (!isUniqueViolation(error, "status_pages_address")) throw error;
          const errors = [
            { path: `objects[${change.index}].value.name`, message: "This name is taken: choose another" },
          ];
          throw new Problem("invalid_input", undefined, { errors });
        }
      }
      return [];
    },

    async remove(transaction, ids, { organizationId }) {
      for (const id of ids) await removeStatusPage(transaction, organizationId, id);
      return [];
    },
  };
}
