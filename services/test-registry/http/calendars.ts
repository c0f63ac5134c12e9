import { createHash, randomBytes } from "node:crypto";
import { notFound, Problem } from "#contracts/kit/problem.ts";
import type { securityServiceContract } from "#contracts/security-service/contract.ts";
import type { testRegistryContract } from "#contracts/test-registry/contract.ts";
import type { Connect } from "../../kit/client/client.ts";
import type { SharedClock } from "../../kit/database/shared-clock.ts";
import type { IssueServiceToken } from "../../kit/identity/identity.ts";
import { type ResourceFinders, requireFiltered } from "../../kit/service/resource-filters.ts";
import type { Handlers } from "../../kit/service/service.ts";
import { findCalendar, findCalendarByToken, putCalendar, removeCalendar } from "../store/calendars.ts";
import { listWindowsByOrganization } from "../store/maintenance-windows.ts";
import { listSchedules } from "../store/schedules.ts";
import type { TestDatabase } from "../store/tables.ts";
import { writeCalendar } from "./calendar-text.ts";

type CalendarHandlers = Pick<
  Handlers<typeof testRegistryContract>,
  "getCalendar" | "renewCalendar" | "deleteCalendar" | "readCalendar"
>;

/** The next to run; more are of no use in a calendar. */
const maxSchedules = 500;

/** 256 random bits can't be guessed: a plain hash of them is enough. */
const hashToken = (token: string) => createHash("sha256").update(token).digest("base64url");

/** Creates the handlers of calendar URLs, one per user. */
export function createCalendarHandlers(parts: {
  db: TestDatabase;
  readTime: SharedClock;
  securityService: Connect<typeof securityServiceContract>;
  serviceToken: IssueServiceToken;
  finders: ResourceFinders;
}): CalendarHandlers {
  const { db, readTime, securityService, serviceToken, finders } = parts;

  /** Whether a user still has access to the organization's schedules. */
  async function isMember(organizationId: string, userId: string, requestId: string): Promise<boolean> {
    const client = securityService({ token: await serviceToken(organizationId), requestId });
    const found = await client.getUser({ params: { userId } });
    if (found.ok) return !found.value.disabled;
    if (found.status === 404) return false;
    throw new Problem(found.problem.code, found.problem.detail, { service: found.problem.service });
  }

  return {
    async getCalendar({ caller }) {
      const row = await findCalendar(db, caller);
      return { calendar: row ? { createdAt: row.created_at.toISOString() } : null };
    },

    async renewCalendar({ caller, record }) {
      const { organizationId, userId } = caller;
      const token = randomBytes(32).toString("base64url");
      const now = await readTime();
      await db.transaction().execute(async (transaction) => {
        const row = { user_id: userId, organization_id: organizationId, token_hash: hashToken(token), created_at: now };
        await putCalendar(transaction, row);
        await record(transaction, { id: userId, after: { createdAt: now } });
      });
      return { token, createdAt: now.toISOString() };
    },

    async deleteCalendar({ caller, record }) {
      await db.transaction().execute(async (transaction) => {
        const removed = await removeCalendar(transaction, caller);
        await record(transaction, ...(removed ? [{ id: caller.userId, before: {} }] : []));
      });
      return undefined;
    },

    async readCalendar({ params, query, requestId }) {
      const calendar = await findCalendarByToken(db, hashToken(params.calendarToken));
      if (!calendar) throw notFound("calendar");
      const { organization_id: organizationId, user_id: userId } = calendar;
      if (!(await isMember(organizationId, userId, requestId))) throw notFound("calendar");
      const filter = { ...query, organizationId, enabled: true };
      const schedules = await listSchedules(db, filter, { limit: maxSchedules });
      if (schedules.length === 0) {
        await requireFiltered(finders, { organizationId, requestId, operation: "readCalendar" }, query);
      }
      const windows = await listWindowsByOrganization(db, [organizationId]);
      const isFiltered = Boolean(query.apiId || query.testCircleId);
      const text = await writeCalendar({ schedules, windows, isFiltered }, await readTime());
      return new Response(text, {
        headers: { "content-type": "text/calendar; charset=utf-8", "cache-control": "private, max-age=900" },
      });
    },
  };
}
