import type { OfferLine, Offers } from "../../kit/nats/offers.ts";

/** An agent calls again at once: its location's offers are asked for as long after its last call. */
const keptMilliseconds = 60_000;

interface Asked {
  line: OfferLine;
  /** Of the calls that wait. */
  listeners: Set<() => void>;
  closing?: NodeJS.Timeout | undefined;
}

/** Wakes one waiting call for each offer of its location's work, where offers arrive. */
export class OfferedLocations {
  readonly #offers: Offers;
  readonly #asked = new Map<string, Asked>();

  constructor(offers: Offers) {
    this.#offers = offers;
  }

  /** @returns a function to call when the call waits no more */
  listen(locationId: string, listener: () => void): () => void {
    const asked = this.#ask(locationId);
    asked.listeners.add(listener);
    // Of those that came while no call waited.
    this.#pass(asked);
    return () => {
      asked.listeners.delete(listener);
      if (asked.listeners.size > 0 || !this.#asked.has(locationId)) return;
      clearTimeout(asked.closing);
      asked.closing = setTimeout(() => this.#close(locationId), keptMilliseconds).unref();
    };
  }

  #ask(locationId: string): Asked {
    let asked = this.#asked.get(locationId);
    if (!asked) {
      const created: Asked = { line: this.#offers.open(locationId, () => this.#pass(created)), listeners: new Set() };
      asked = created;
      this.#asked.set(locationId, asked);
    }
    clearTimeout(asked.closing);
    return asked;
  }

  #pass({ line, listeners }: Asked): void {
    if (listeners.size === 0) return;
    for (const offer of line.take()) {
      const [first] = listeners;
      // Others may have a call that waits.
      if (!first) offer.decline();
      else {
        offer.accept();
        listeners.delete(first);
        first();
      }
    }
  }

  #close(locationId: string): void {
    const asked = this.#asked.get(locationId);
    this.#asked.delete(locationId);
    clearTimeout(asked?.closing);
    asked?.line.close();
  }

  stop(): void {
    for (const locationId of [...this.#asked.keys()]) this.#close(locationId);
  }
}
