import type { MaintenanceWindowCode } from "#contracts/code/circle.ts";
import { windowTimes } from "#contracts/test-registry/maintenance-windows.ts";
import type { JsonRecord } from "#libraries/json/json-value.ts";
import type { ServedKind } from "../../../kit/code/code-kind.ts";
import { readObjects } from "../../../kit/code/read-objects.ts";
import { findTimesErrors } from "../../domain/maintenance-window.ts";
import { insertWindow, removeWindow, type StoredRow, updateWindow } from "../../store/maintenance-windows.ts";
import type { TestTables } from "../../store/tables.ts";

/** Maintenance windows of files. */
export function createMaintenanceWindowKind(): ServedKind<MaintenanceWindowCode, TestTables> {
  return {
    kind: "maintenanceWindow",
    ...{ table: "maintenance_windows", idColumn: "id", keyText: "name" },

    async list(executor, query, context) {
      const { references } = context;
      const rows = await readObjects<StoredRow>(executor, this, query, context);
      return rows.map(({ id, name, api_id, circle_id, times }) => {
        const api = api_id ? references.keyOf("api", api_id) : undefined;
        const circle = circle_id ? references.keyOf("circle", circle_id) : undefined;
        return { id, name, value: { name, api, circle, times: windowTimes.parse(times) } as JsonRecord };
      });
    },

    async resolve(changes, { references }, fail) {
      return changes.map((change) => {
        const input = change.value as unknown as MaintenanceWindowCode;
        const report = fail(change);
        const { api, circle, times } = input;
        if (api && circle) report("circle", "Choose an API or a circle");
        if (api && !references.idOf("api", api)) report("api", `There is no API ${api}`);
        if (circle && !references.idOf("circle", circle)) report("circle", `There is no circle ${circle}`);
        for (const { path, message } of findTimesErrors(times)) report(path, message);
        return { change, input };
      });
    },

    async write(transaction, items, { organizationId, references, now }) {
      for (const { change, input } of items) {
        const { name, api, circle, times } = input;
        const row = {
          ...{ id: change.id, organization_id: organizationId, name, times, updated_at: now },
          api_id: (api && references.idOf("api", api)) ?? null,
          circle_id: (circle && references.idOf("circle", circle)) ?? null,
        };
        if (change.action === "create") await insertWindow(transaction, { ...row, version: 1, created_at: now });
        else await updateWindow(transaction, row, undefined);
      }
      return [];
    },

    async remove(transaction, ids, { organizationId }) {
      for (const maintenanceWindowId of ids)
        await removeWindow(transaction, { organizationId, maintenanceWindowId }, undefined);
      return [];
    },
  };
}
