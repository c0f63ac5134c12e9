import type { portalServiceContract } from "#contracts/portal-service/contract.ts";
import type { Clock } from "../../kit/clock/clock.ts";
import type { Handlers } from "../../kit/service/service.ts";
import { monthlyNumbers, monthsUpTo } from "../domain/monthly-numbers.ts";
import { findMonthlyChanges } from "../store/monthly-numbers.ts";
import type { PortalDatabase } from "../store/tables.ts";

/** Creates the handler of the operator's monthly sales. */
export function createMonthlyNumbersHandlers({
  db,
  clock,
}: {
  db: PortalDatabase;
  clock: Clock;
}): Pick<Handlers<typeof portalServiceContract>, "listMonthlyNumbers"> {
  return {
    async listMonthlyNumbers({ query }) {
      const months = monthsUpTo(clock.now(), query.months);
      const numbers = monthlyNumbers(await findMonthlyChanges(db, months), months);
      return {
        items: numbers.map(({ paidMinor, refundedMinor, ...rest }) => ({
          ...rest,
          paid: { minorUnits: paidMinor, currency: rest.currency },
          refunded: { minorUnits: refundedMinor, currency: rest.currency },
        })),
        nextCursor: null,
      };
    },
  };
}
