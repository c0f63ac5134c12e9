import type { Clock } from "#libraries/clock/clock.ts";

export { type Clock, systemClock } from "#libraries/clock/clock.ts";

export type MovableClock = ReturnType<typeof movableClock>;

/** A clock for tests: advances only when moved. */
export function movableClock(
  start: Date | string,
): Clock & { moveTo(moment: Date): void; advance(milliseconds: number): void } {
  let current = new Date(start);
  return {
    now: () => new Date(current),
    moveTo: (moment) => {
      current = new Date(moment);
    },
    advance: (milliseconds) => {
      current = new Date(current.getTime() + milliseconds);
    },
  };
}
