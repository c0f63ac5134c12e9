const isEndurance = Boolean(process.env.ENDURANCE);

/** How often a randomized test repeats: a few times in the suite, in full with `npm run endurance`. */
export function repetitions(inSuite: number, inFull: number): number {
  return isEndurance ? inFull : inSuite;
}

/** Prints a figure of a full run. */
export function reportFigure(figure: string): void {
  if (isEndurance) process.stdout.write(`${figure}\n`);
}
