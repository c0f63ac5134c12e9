import type { Offer, OfferLine, Offers } from "../../kit/nats/offers.ts";
import { readWork } from "../store/changes.ts";

/** The place of the portal's own workers; the others are locations of agents. */
export const ownPlace = "portal";

interface Sharing {
  /** Maximum in total. */
  max: number;
  /** Maximum of an organization that is not in `capacities`. */
  mostOfOne: number;
  /** How many more of an organization this worker accepts. */
  capacities: ReadonlyMap<string, number>;
  /** Organizations that this worker already works for and that have more. */
  known: ReadonlySet<string>;
}

/** Offers queued work to workers and agents. Listens to `workChannel`. */
export function offerWork(offers: Offers, payload: string | undefined): void {
  for (const [location, organizations] of readWork(payload) ?? []) void offers.add(location ?? ownPlace, organizations);
}

/**
 * Divides a worker's capacity among the organizations whose work is offered. An organization with more work than its share
 * is offered again behind all others, so that other workers take part and organizations take turns.
 */
export class OfferedWork {
  readonly #offers: Offers;
  readonly #line: OfferLine;
  /** Offers whose work is being claimed. */
  #accepting: Offer[] = [];

  /** @param onOffers called when there may be work to claim */
  constructor(offers: Offers, onOffers: () => void) {
    this.#offers = offers;
    this.#line = offers.open(ownPlace, onOffers);
  }

  /** Otherwise work is found in the database only. */
  get isConnected(): boolean {
    return this.#offers.isConnected;
  }

  /** How many executions to claim, by organization; undefined while offers don't arrive. */
  share({ max, mostOfOne, capacities, known }: Sharing): Map<string, number> | undefined {
    if (!this.isConnected) return undefined;
    this.#accepting = [];
    const wanted = new Map<string, number>();
    for (const organizationId of known) {
      const capacity = capacities.get(organizationId) ?? mostOfOne;
      if (capacity > 0) wanted.set(organizationId, capacity);
    }
    for (const offer of this.#line.take()) {
      const capacity = capacities.get(offer.organizationId) ?? mostOfOne;
      if (capacity > 0) {
        wanted.set(offer.organizationId, capacity);
        this.#accepting.push(offer);
      }
      // Another worker may have capacity; this one continues with the organization without an offer.
      else offer.decline();
    }
    const each = Math.max(1, Math.floor(max / Math.max(1, wanted.size)));
    return new Map([...wanted].map(([organizationId, capacity]) => [organizationId, Math.min(capacity, each)]));
  }

  /** @param claimed how many executions of each organization */
  taken(shares: ReadonlyMap<string, number>, claimed: ReadonlyMap<string, number>): void {
    const withMore = [...shares].filter(([id, share]) => (claimed.get(id) ?? 0) >= share).map(([id]) => id);
    // Before the accepted offers are deleted, so that an offer exists as long as work waits.
    void this.#offers.add(ownPlace, withMore).then(() => {
      for (const offer of accepted) offer.accept();
    });
    const accepted = this.#accepting;
    this.#accepting = [];
  }

  /** Returns offers whose work was not claimed. */
  stop(): void {
    for (const offer of this.#line.take()) offer.decline();
    this.#line.close();
  }
}
