const isEndurance = Boolean(process.env.ENDURANCE);

/** How often a test repeats what chance decides: a little in the suite, in full by `npm run endurance`. */
export function repetitions(inSuite: number, inFull: number): number {
  return isEndurance ? inFull : inSuite;
}

/** A figure of a full run, for its reader. */
export function tell(figure: string): void {
  if (isEndurance) process.stdout.write(`${figure}\n`);
}
