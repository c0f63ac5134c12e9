import type { BodyRoom } from "./body-room.ts";
import type { ExchangeClock } from "./phases.ts";

export interface LargeBodyOptions {
  room: BodyRoom;
  owner: string;
  deadline: { hold(): void; resume(): void };
}

/** A body that waits for room before more of it is read. The wait counts neither to its phases nor to its deadline. */
export class LargeBody {
  readonly #options: LargeBodyOptions;
  readonly #clock: ExchangeClock;
  #release: (() => void) | undefined;
  /** Whether it waits. */
  isHeld = false;

  constructor(options: LargeBodyOptions, clock: ExchangeClock) {
    this.#options = options;
    this.#clock = clock;
  }

  /** @param grow called once there is room for so many bytes, possibly at once */
  acquire(bytes: number, grow: () => void): void {
    const { room, owner, deadline } = this.#options;
    let hasRoom = false;
    this.#release = room.acquire(owner, bytes, () => {
      hasRoom = true;
      if (this.isHeld) {
        this.isHeld = false;
        this.#clock.resume();
        deadline.resume();
      }
      grow();
    });
    if (hasRoom) return;
    this.isHeld = true;
    this.#clock.hold();
    deadline.hold();
  }

  /** Gives back its room, or its place among those that wait. */
  release(): void {
    this.#release?.();
  }
}
