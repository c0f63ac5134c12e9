import type { Offer, OfferLine, Offers } from "../../kit/nats/offers.ts";
import { readWork } from "../store/changes.ts";

/** Where the portal's own workers run executions; agents' places are their locations. */
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

/** Offers work as it is queued, wherever agents or workers are to run it. The listener of `workChannel`. */
export function offerWork(offers: Offers, payload: string | undefined): void {
  for (const [location, organizations] of readWork(payload) ?? []) void offers.add(location ?? ownPlace, organizations);
}

/**
 * Which organizations' work a worker takes, where NATS says who has some. An organization is offered again as long as it
 * has more than its share, so that other workers take some, too, and organizations take turns.
 */
export class OfferedWork {
  readonly #offers: Offers;
  readonly #line: OfferLine;
  /** Those whose work is being claimed. */
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

  /** How many executions to claim of whom; undefined while offers don't arrive. */
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
      // What this worker knows of it, it finds by itself; others may have room.
      else offer.decline();
    }
    const each = Math.max(1, Math.floor(max / Math.max(1, wanted.size)));
    return new Map([...wanted].map(([organizationId, capacity]) => [organizationId, Math.min(capacity, each)]));
  }

  /** @param claimed how many executions of each organization */
  taken(shares: ReadonlyMap<string, number>, claimed: ReadonlyMap<string, number>): void {
    const withMore = [...shares].filter(([id, share]) => (claimed.get(id) ?? 0) >= share).map(([id]) => id);
    // First: whoever takes it sees what is left.
    void this.#offers.add(ownPlace, withMore).then(() => {
      for (const offer of accepted) offer.accept();
    });
    const accepted = this.#accepting;
    this.#accepting = [];
  }

  /** Other workers get what was not claimed. */
  stop(): void {
    for (const offer of this.#line.take()) offer.decline();
    this.#line.close();
  }
}
