import { notFound, Problem } from "#contracts/kit/problem.ts";
import type { testAnalyzerContract } from "#contracts/test-analyzer/contract.ts";
import type { PublishedStatus, StatusPage } from "#contracts/test-analyzer/status-pages.ts";
import type { testRegistryContract } from "#contracts/test-registry/contract.ts";
import type { Connect } from "../../kit/client/client.ts";
import type { Clock } from "../../kit/clock/clock.ts";
import { isUniqueViolation } from "../../kit/database/database.ts";
import { parseIfMatch } from "../../kit/service/entity-tag.ts";
import type { Handlers } from "../../kit/service/service.ts";
import { isReserved, newAddress } from "../domain/status-page.ts";
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

type PageHandlers = Pick<
  Handlers<typeof testAnalyzerContract>,
  "getStatusPage" | "setStatusPage" | "closeStatusPage" | "readPublishedStatus"
>;

function toStatusPage({ is_named, ...row }: StatusPageRow): StatusPage {
  return {
    ...{ testCircleId: row.test_circle_id, address: row.address, name: is_named ? row.address : null },
    ...{ title: row.title, text: row.text, showsIncidents: row.shows_incidents, version: row.version },
    ...{ message: row.message, messageAt: row.message_at?.toISOString() ?? null },
    ...{ createdAt: row.created_at.toISOString(), updatedAt: row.updated_at.toISOString() },
  };
}

/** Without the address when it is random and therefore works like a password. */
function audited(row: StatusPageRow) {
  const { title, text, message, name, showsIncidents, version } = toStatusPage(row);
  return { title, text, message, name, showsIncidents, version };
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
}): PageHandlers {
  const { db, clock, publishedStatus } = parts;

  return {
    async getStatusPage({ caller, params, requestId }) {
      const row = await findStatusPage(db, caller.organizationId, params.testCircleId);
      if (!row) await requireCircle(parts.testRegistry, caller, params.testCircleId, requestId);
      return { statusPage: row ? toStatusPage(row) : null };
    },

    async setStatusPage({ caller, params: { testCircleId }, body, request, requestId, record }) {
      const { name, title, text, message, showsIncidents } = body;
      if (name && isReserved(name)) throw nameRefused("This name is the portal's own: choose another");
      await requireCircle(parts.testRegistry, caller, testCircleId, requestId);
      const { organizationId } = caller;
      const stored = await findStatusPage(db, organizationId, testCircleId);
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
            await record(transaction, { id: testCircleId, after: audited(made) });
            return toStatusPage(made);
          }
          const changed = await updateStatusPage(transaction, row, versions);
          if (!changed) throw stale();
          await record(transaction, { id: testCircleId, before: audited(stored), after: audited(changed) });
          return toStatusPage(changed);
        });
      } catch (error) {
        if (isUniqueViolation(error, "status_pages_address")) throw nameRefused("This name is taken: choose another");
        // Two requests opened it at the same time.
        if (isUniqueViolation(error, "status_pages_pkey")) throw stale();
        throw error;
      }
    },

    async closeStatusPage({ caller: { organizationId }, params: { testCircleId }, request, record }) {
      if (!(await findStatusPage(db, organizationId, testCircleId))) throw notFound("status page");
      await db.transaction().execute(async (transaction) => {
        const versions = parseIfMatch(request.headers.get("if-match"));
        const removed = await removeStatusPage(transaction, organizationId, testCircleId, versions);
        if (!removed) throw stale();
        await record(transaction, { id: testCircleId, before: audited(removed) });
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
