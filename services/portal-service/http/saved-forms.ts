import { uuidv7 } from "uuidv7";
import { notFound } from "#contracts/kit/problem.ts";
import type { portalServiceContract } from "#contracts/portal-service/contract.ts";
import { storedFormSeconds } from "#contracts/portal-service/stored-forms.ts";
import type { Clock } from "../../kit/clock/clock.ts";
import type { Handlers } from "../../kit/service/service.ts";
import { addSavedForm, findSavedForm } from "../store/saved-forms.ts";
import type { PortalDatabase } from "../store/tables.ts";

export function createSavedFormHandlers({
  db,
  clock,
}: {
  db: PortalDatabase;
  clock: Clock;
}): Pick<Handlers<typeof portalServiceContract>, "keepForm" | "getKeptForm"> {
  return {
    async keepForm({ body }) {
      const now = clock.now();
      const id = uuidv7();
      const endsAt = new Date(now.getTime() + storedFormSeconds * 1_000);
      await addSavedForm(db, { id, user_id: body.userId, sealed: body.sealed, ends_at: endsAt }, now);
      return { id };
    },

    async getKeptForm({ params, query }) {
      const form = await findSavedForm(db, { id: params.formId, userId: query.userId, now: clock.now() });
      if (!form) throw notFound("form");
      return form;
    },
  };
}
