import type { OfferLine, Offers } from "../../kit/nats/offers.ts";

/** Between two calls of an agent its location's offers are still received. */
const idleMilliseconds = 60_000;

interface WatchedLocation {
  line: OfferLine;
  /** Of waiting calls. */
  listeners: Set<() => void>;
  closing?: NodeJS.Timeout | undefined;
}

/** Wakes one waiting call of an agent for each offer of its location's work. */
export class OfferedLocations {
  readonly #offers: Offers;
  readonly #watched = new Map<string, WatchedLocation>();

  constructor(offers: Offers) {
    this.#offers = offers;
  }

  /** @returns a function that ends it */
  listen(locationId: string, listener: () => void): () => void {
    const watched = this.#watch(locationId);
    watched.listeners.add(listener);
    // Offers that arrived while no call was waiting.
    this.#pass(watched);
    return () => {
      watched.listeners.delete(listener);
      if (watched.listeners.size > 0 || !this.#watched.has(locationId)) return;
      clearTimeout(watched.closing);
      watched.closing = setTimeout(() => this.#close(locationId), idleMilliseconds).unref();
    };
  }

  #watch(locationId: string): WatchedLocation {
    let watched = this.#watched.get(locationId);
    if (!watched) {
      const created: WatchedLocation = {
        line: this.#offers.open(locationId, () => this.#pass(created)),
        listeners: new Set(),
      };
      watched = created;
      this.#watched.set(locationId, watched);
    }
    clearTimeout(watched.closing);
    return watched;
  }

  #pass({ line, listeners }: WatchedLocation): void {
    if (listeners.size === 0) return;
    for (const offer of line.take()) {
      const [first] = listeners;
      // Another portal may have a waiting call.
      if (!first) offer.decline();
      else {
        offer.accept();
        listeners.delete(first);
        first();
      }
    }
  }

  #close(locationId: string): void {
    const watched = this.#watched.get(locationId);
    this.#watched.delete(locationId);
    clearTimeout(watched?.closing);
    watched?.line.close();
  }

  stop(): void {
    for (const locationId of [...this.#watched.keys()]) this.#close(locationId);
  }
}
