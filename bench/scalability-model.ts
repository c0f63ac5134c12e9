/**
 * The Universal Scalability Law (N. J. Gunther): `n` processes do `rate × n / (1 + contention × (n - 1) + coherency × n
 * × (n - 1))`. The first slows down all that wait for the same thing, the second costs each pair of processes.
 */
export interface ScalabilityModel {
  /** Of one process, in executions a second. */
  rate: number;
  contention: number;
  coherency: number;
}

export interface Throughput {
  processes: number;
  rate: number;
}

export function predict({ rate, contention, coherency }: ScalabilityModel, processes: number): number {
  return (rate * processes) / (1 + contention * (processes - 1) + coherency * processes * (processes - 1));
}

const bases: ((processes: number) => number)[] = [() => 1, (n) => n - 1, (n) => n * (n - 1)];

/**
 * By least squares of the relative errors: `n / rate` is linear in the model's coefficients. None may be negative: those
 * that would be are zero, and the others are fitted again.
 */
export function fitModel(measured: readonly Throughput[]): ScalabilityModel {
  let used = [0, 1, 2];
  for (;;) {
    const coefficients = solve(measured, used);
    const negative = used.filter((base, index) => base > 0 && coefficients[index]! < 0);
    if (negative.length === 0) {
      const find = (base: number) => coefficients[used.indexOf(base)] ?? 0;
      return { rate: 1 / find(0), contention: find(1) / find(0), coherency: find(2) / find(0) };
    }
    const worst = negative.reduce((one, other) =>
      coefficients[used.indexOf(one)]! < coefficients[used.indexOf(other)]! ? one : other,
    );
    used = used.filter((base) => base !== worst);
  }
}

/** The normal equations, by elimination. */
function solve(measured: readonly Throughput[], used: readonly number[]): number[] {
  const rows = measured.map(({ processes, rate }) => {
    const weight = rate / processes;
    return { factors: used.map((base) => bases[base]!(processes) * weight), value: 1 };
  });
  const matrix = used.map((_, row) => [
    ...used.map((__, column) => rows.reduce((sum, { factors }) => sum + factors[row]! * factors[column]!, 0)),
    rows.reduce((sum, { factors, value }) => sum + factors[row]! * value, 0),
  ]);
  for (let pivot = 0; pivot < used.length; pivot += 1) {
    for (let row = 0; row < used.length; row += 1) {
      if (row === pivot) continue;
      const factor = matrix[row]![pivot]! / matrix[pivot]![pivot]!;
      for (let column = pivot; column <= used.length; column += 1)
        matrix[row]![column]! -= factor * matrix[pivot]![column]!;
    }
  }
  return matrix.map((row, index) => row.at(-1)! / row[index]!);
}
