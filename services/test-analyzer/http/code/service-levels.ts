import type { ServiceLevelCode } from "#contracts/code/alerting.ts";
import type { ServedKind } from "../../../kit/code/code-kind.ts";
import { readObjects } from "../../../kit/code/read-objects.ts";
import {
  findServiceLevels,
  putServiceLevel,
  removeServiceLevel,
  type ServiceLevelRow,
} from "../../store/service-levels.ts";
import type { AnalyzerTables } from "../../store/tables.ts";
import { ofCircle, requireCircle } from "./of-circles.ts";

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
