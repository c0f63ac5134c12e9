export function print(line = ""): void {
  process.stdout.write(`${line}\n`);
}

export function median(numbers: number[]): number {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)]!;
}

export const show = (milliseconds: number) => `${Math.round(milliseconds)} ms`.padStart(9);
