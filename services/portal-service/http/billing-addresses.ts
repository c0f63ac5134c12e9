import { notFound, Problem } from "#contracts/kit/problem.ts";
import type { portalServiceContract } from "#contracts/portal-service/contract.ts";
import type { Clock } from "../../kit/clock/clock.ts";
import type { Handlers } from "../../kit/service/service.ts";
import { type Address, findAddressErrors, toLines, toStoredAddress } from "../address/address.ts";
import { countryName, findCountry, listCountries } from "../address/country.ts";
import { findBillingAddress, putBillingAddress } from "../store/billing-addresses.ts";
import type { PortalDatabase } from "../store/tables.ts";

type AddressHandlers = Pick<
  Handlers<typeof portalServiceContract>,
  "getBillingAddress" | "putBillingAddress" | "listCountries" | "getCountryMetadata"
>;

const toBillingAddress = (address: Address) => ({ ...address, lines: toLines(address) });

/** Creates the handlers of the billing address and of the address formats of countries. */
export function createBillingAddressHandlers({ db, clock }: { db: PortalDatabase; clock: Clock }): AddressHandlers {
  return {
    async getBillingAddress({ caller }) {
      const address = await findBillingAddress(db, caller.organizationId);
      return { address: address ? toBillingAddress(address) : null };
    },

    async putBillingAddress({ caller, body, record }) {
      const country = findCountry(body.country);
      const errors = findAddressErrors(body);
      if (!country || errors.length > 0) throw new Problem("invalid_input", undefined, { errors });
      const address = toStoredAddress(body, country);
      await db.transaction().execute(async (transaction) => {
        const before = await findBillingAddress(transaction, caller.organizationId);
        await putBillingAddress(transaction, caller.organizationId, address, clock.now());
        await record(transaction, { id: caller.organizationId, before, after: address });
      });
      return { address: toBillingAddress(address) };
    },

    listCountries: () => ({ items: listCountries() }),

    getCountryMetadata({ params }) {
      const found = findCountry(params.code.toUpperCase());
      if (!found) throw notFound("country");
      return { code: found.code, name: countryName(found.code), fields: found.fields };
    },
  };
}
