import { notFound, Problem } from "#contracts/kit/problem.ts";
import type { testAnalyzerContract } from "#contracts/test-analyzer/contract.ts";
import type { PublishedStatus, StatusPage, setStatusPage } from "#contracts/test-analyzer/status-pages.ts";
import type { testRegistryContract } from "#contracts/test-registry/contract.ts";
import type { Connect } from "../../kit/client/client.ts";
import type { Clock } from "../../kit/clock/clock.ts";
import { isUniqueViolation } from "../../kit/database/database.ts";
import { parseIfMatch } from "../../kit/service/entity-tag.ts";
import type { Call, Handlers } from "../../kit/service/service.ts";
import { isReserved, newAddress } from "../domain/status-page.ts";
import { toMessageUpdate } from "../domain/status-update.ts";
import type { PublicUpdates } from "../jobs/public-updates.ts";
import { type Component, listComponents, replaceComponents } from "../store/status-page-components.ts";
import {
  findPageByAddress,
  findStatusPage,
  insertStatusPage,
  removeStatusPage,
  type StatusPageRow,
  updateStatusPage,
} from "../store/status-pages.ts";
import type { AnalyzerDatabase } from "../store/tables.ts";
import { requireCircle } from "./own-circle.ts";
import { requireFromService } from "./service-result.ts";

type PageHandlers = Pick<
  Handlers<typeof testAnalyzerContract>,
  "getStatusPage" | "setStatusPage" | "closeStatusPage" | "readPublishedStatus"
>;

function toStatusPage({ is_named, ...row }: StatusPageRow, components: readonly Component[]): StatusPage {
  return {
    ...{ testCircleId: row.test_circle_id, address: row.address, name: is_named ? row.address : null },
    ...{ title: row.title, text: row.text, showsIncidents: row.shows_incidents, version: row.version },
    ...{ message: row.message, messageAt: row.message_at?.toISOString() ?? null },
    components: components.map(({ test_circle_id: testCircleId, name }) => ({ testCircleId, name })),
    ...{ createdAt: row.created_at.toISOString(), updatedAt: row.updated_at.toISOString() },
  };
}

/** Without the address when it is random and therefore works like a password. */
function audited(row: StatusPageRow, components: readonly Component[]) {
  const {
    testCircleId: _,
    address: _address,
    messageAt: _at,
    createdAt: _made,
    updatedAt: _saved,
    ...page
  } = toStatusPage(row, components);
  return page;
}

const stale = () => new Problem("stale_version", "Someone else changed this status page in the meantime. View again.");

function nameRefused(message: string): Problem {
  return new Problem("invalid_input", undefined, { errors: [{ path: "name", message }] });
}

/** Creates the handlers for status pages, at most one per circle. */
export function createStatusPageHandlers(parts: {
  db: AnalyzerDatabase;
  clock: Clock;
  testRegistry: Connect<typeof testRegistryContract>;
  publishedStatus: (page: StatusPageRow) => Promise<PublishedStatus>;
  updates: PublicUpdates;
}): PageHandlers {
  const { db, clock, publishedStatus, updates } = parts;

  /** @throws Problem invalid_input at a circle that is not the organization's, or is named twice */
  async function requireComponents(
    components: readonly Component[],
    { known }: { known: readonly string[] },
    { caller, requestId }: Pick<Call<typeof setStatusPage>, "caller" | "requestId">,
  ): Promise<void> {
    const errors: { path: string; message: string }[] = [];
    for (const [index, { test_circle_id: id, name }] of components.entries()) {
      if (components.findIndex((one) => one.name === name) < index) {
        errors.push({ path: `components[${index}].name`, message: "This name is on the page already" });
      }
      const path = `components[${index}].testCircleId`;
      if (components.findIndex((one) => one.test_circle_id === id) < index) {
        errors.push({ path, message: "This circle is on the page already" });
      } else if (!known.includes(id)) {
        const found = await parts.testRegistry({ token: caller.token, requestId }).getCircle({
          params: { testCircleId: id },
        });
        if (found.status === 404) errors.push({ path, message: "No such circle" });
        else requireFromService(found);
      }
    }
    if (errors.length > 0) throw new Problem("invalid_input", undefined, { errors });
  }

  return {
    async getStatusPage({ caller, params, requestId }) {
      const row = await findStatusPage(db, caller.organizationId, params.testCircleId);
      if (!row) await requireCircle(parts.testRegistry, caller, params.testCircleId, requestId);
      return { statusPage: row ? toStatusPage(row, await listComponents(db, row)) : null };
    },

    async setStatusPage(call) {
      const { caller, params, body, request, requestId, record } = call;
      const { testCircleId } = params;
      const { name, title, text, message, showsIncidents } = body;
      if (name && isReserved(name)) throw nameRefused("This name is the portal's own: choose another");
      await requireCircle(parts.testRegistry, caller, testCircleId, requestId);
      const { organizationId } = caller;
      const stored = await findStatusPage(db, organizationId, testCircleId);
      const before = stored ? await listComponents(db, stored) : [];
      const components = body.components.map((one) => ({ test_circle_id: one.testCircleId, name: one.name }));
      await requireComponents(components, { known: [testCircleId, ...before.map((one) => one.test_circle_id)] }, call);
      const versions = parseIfMatch(request.headers.get("if-match"));
      const keepsAddress = stored && !stored.is_named && !body.newAddress;
      const now = clock.now();
      const row = {
        ...{ organization_id: organizationId, test_circle_id: testCircleId },
        ...{ address: name ?? (keepsAddress ? stored.address : newAddress()), is_named: name !== undefined },
        ...{ title, text, shows_incidents: showsIncidents, updated_at: now },
        ...{ message, message_at: message && message === stored?.message ? stored.message_at : message ? now : null },
      };
      try {
        return await db.transaction().execute(async (transaction) => {
          if (!stored) {
            if (versions && !versions.includes(0)) throw stale();
            const made = { ...row, version: 1, created_at: now };
            await insertStatusPage(transaction, made);
            await replaceComponents(transaction, made, components);
            if (message) await updates.publish(transaction, made, [toMessageUpdate(message)]);
            await record(transaction, { id: testCircleId, after: audited(made, components) });
            return toStatusPage(made, components);
          }
          const changed = await updateStatusPage(transaction, row, versions);
          if (!changed) throw stale();
          await replaceComponents(transaction, changed, components);
          if (message && message !== stored.message) {
            await updates.publish(transaction, changed, [toMessageUpdate(message)]);
          }
          await record(transaction, {
            id: testCircleId,
            before: audited(stored, before),
            after: audited(changed, components),
          });
          return toStatusPage(changed, components);
        });
      } catch (error) {
        if (isUniqueViolation(error, "status_pages_address")) throw nameRefused("This name is taken: choose another");
        // Two requests opened it at the same time.
        if (isUniqueViolation(error, "status_pages_pkey")) throw stale();
        throw error;
      }
    },

    async closeStatusPage({ caller: { organizationId }, params: { testCircleId }, request, record }) {
      const stored = await findStatusPage(db, organizationId, testCircleId);
      if (!stored) throw notFound("status page");
      const components = await listComponents(db, stored);
      await db.transaction().execute(async (transaction) => {
        const versions = parseIfMatch(request.headers.get("if-match"));
        const removed = await removeStatusPage(transaction, organizationId, testCircleId, versions);
        if (!removed) throw stale();
        await record(transaction, { id: testCircleId, before: audited(removed, components) });
      });
      return undefined;
    },

    async readPublishedStatus({ params: { address } }) {
      const page = await findPageByAddress(db, address);
      if (!page) throw notFound("status page");
      return await publishedStatus(page);
    },
  };
}
