/** E.g. "every 5 minutes". */
export function intervalWords(seconds: number): string {
  for (const [size, unit] of [[86_400, "day"] as const, [3_600, "hour"] as const, [60, "minute"] as const]) {
    if (seconds % size === 0) return seconds === size ? `every ${unit}` : `every ${seconds / size} ${unit}s`;
  }
  return `every ${seconds} seconds`;
}
