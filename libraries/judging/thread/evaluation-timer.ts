/** Even on a busy machine no evaluation blocks a thread longer than this many times its limit. */
const patience = 20;

/**
 * Elapsed time of the running evaluation. Node 20 does not report a thread's own processor time, so it is bounded from
 * above twice: by the clock, and by the processor time of the whole process. On a machine busy with other processes the
 * clock advances while nothing is evaluated here; the second bound is then the closer one.
 */
export class EvaluationTimer {
  private startedAt = performance.now();
  private processorAtStart = process.cpuUsage();

  constructor(private step: number) {}

  /** @param step changes with every evaluation */
  isOver(step: number, limitMilliseconds: number): boolean {
    if (step !== this.step) {
      this.step = step;
      this.startedAt = performance.now();
      this.processorAtStart = process.cpuUsage();
      return false;
    }
    const elapsed = performance.now() - this.startedAt;
    if (elapsed <= limitMilliseconds) return false;
    const { user, system } = process.cpuUsage(this.processorAtStart);
    return (user + system) / 1_000 > limitMilliseconds || elapsed > patience * limitMilliseconds;
  }
}
