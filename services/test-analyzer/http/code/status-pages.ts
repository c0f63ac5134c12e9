import type { StatusPageCode } from "#contracts/code/alerting.ts";
import { Problem } from "#contracts/kit/problem.ts";
import type { JsonRecord } from "#libraries/json/json-value.ts";
import type { ChangeContext, Fail, ServedKind } from "../../../kit/code/code-kind.ts";
import { readObjects } from "../../../kit/code/read-objects.ts";
import { isUniqueViolation } from "../../../kit/database/database.ts";
import { isReserved, newAddress } from "../../domain/status-page.ts";
import { toMessageUpdate } from "../../domain/status-update.ts";
import type { PublicUpdates } from "../../jobs/public-updates.ts";
import { type Component, listComponentsOfPages, replaceComponents } from "../../store/status-page-components.ts";
import {
  findStatusPage,
  insertStatusPage,
  removeStatusPage,
  type StatusPageRow,
  updateStatusPage,
} from "../../store/status-pages.ts";
import type { AnalyzerTables } from "../../store/tables.ts";
import { ofCircle, requireCircle } from "./of-circles.ts";

interface CodedPage {
  page: StatusPageCode;
  components: Component[];
}

/** Errors of its components; a circle or name used twice on the page is refused. */
function resolveComponents({ components }: StatusPageCode, { references }: ChangeContext, fail: Fail): Component[] {
  return components.flatMap(({ circle, name }, index) => {
    if (components.findIndex((one) => one.name === name) < index)
      fail(`components[${index}].name`, "This name is on the page already");
    if (components.findIndex((one) => one.circle === circle) < index)
      fail(`components[${index}].circle`, "This circle is on the page already");
    const id = references.idOf("circle", circle);
    if (!id) fail(`components[${index}].circle`, `There is no circle ${circle}`);
    return id ? [{ test_circle_id: id, name }] : [];
  });
}

/** Status pages of files. */
export function createStatusPageKind({
  updates,
}: {
  updates: Pick<PublicUpdates, "publish">;
}): ServedKind<CodedPage, AnalyzerTables> {
  return {
    ...{ kind: "statusPage", table: "status_pages", ...ofCircle },
    sideTables: [{ table: "status_page_components", column: "page_circle_id" }],

    async list(executor, query, context) {
      const rows = await readObjects<StatusPageRow>(executor, this, query, context);
      const { organizationId, references } = context;
      const circleIds = rows.map(({ test_circle_id }) => test_circle_id);
      const listed = await listComponentsOfPages(executor, organizationId, circleIds);
      return rows.map((row) => {
        const { title, text, message, shows_incidents: showsIncidents } = row;
        const components = (listed.get(row.test_circle_id) ?? []).flatMap(({ test_circle_id, name }) => {
          const circle = references.keyOf("circle", test_circle_id);
          return circle ? [{ circle, name }] : [];
        });
        const name = row.is_named ? row.address : undefined;
        return {
          id: row.test_circle_id,
          name: title,
          value: { title, text, message, name, showsIncidents, components } as JsonRecord,
        };
      });
    },

    async resolve(changes, context, fail) {
      return changes.map((change) => {
        const page = change.value as unknown as StatusPageCode;
        const report = fail(change);
        requireCircle(change, context, report);
        if (page.name && isReserved(page.name)) report("name", "This name is the portal's own: choose another");
        return { change, input: { page, components: resolveComponents(page, context, report) } };
      });
    },

    async write(transaction, items, { organizationId, now }) {
      for (const { change, input } of items) {
        const { title, text, message, name, showsIncidents } = input.page;
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
          const created = { ...row, version: 1, created_at: now };
          if (stored) await updateStatusPage(transaction, row, undefined);
          else await insertStatusPage(transaction, created);
          await replaceComponents(transaction, row, input.components);
          if (message && message !== stored?.message)
            await updates.publish(transaction, { ...created, ...stored, ...row }, [toMessageUpdate(message)]);
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
