/** The only source of time in services, so that tests can move it. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

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
