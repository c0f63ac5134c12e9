/**
 * How long users wait for each process after its PostgreSQL was restarted or one of its backends killed, while they write,
 * run and read: from the moment the server accepts connections again (or the backend is killed, since the server then
 * recovers automatically) until each process has responded to more of every kind. At most 5 s, and nothing acknowledged is lost.
 *
 *     npm run build && npm run bench:restarts
 */
import { errors, type PortalsAtWork, startPortalsAtWork } from "../tests/support/portals-at-work.ts";

const limitMilliseconds = 5_000;
const repetitions = 5;

let work: PortalsAtWork | undefined;
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => void (work?.stop() ?? Promise.resolve()).finally(() => process.exit(1)));
}

for (const count of [1, 3]) {
  work = await startPortalsAtWork(count);
  await work.moreIsDone(5);
  for (const [name, strike] of Object.entries(errors)) {
    const times: number[] = [];
    for (let round = 0; round < repetitions; round += 1) {
      await strike(work.cluster);
      const struckAt = performance.now();
      await work.moreIsDone(1);
      times.push(performance.now() - struckAt);
      await work.moreIsDone(5);
    }
    print(times, `${name}, ${count === 1 ? "one process" : `${count} processes`}`);
  }
  const { acknowledged, lost, wrong } = await work.settle();
  const refusals = work.portals.reduce((sum, portal) => sum + portal.refusals, 0);
  const unexpected = work.portals.flatMap((portal) => portal.unexpected);
  for (const error of [...lost.map((name) => `lost ${name}`), ...wrong, ...unexpected]) {
    process.exitCode = 1;
    process.stdout.write(`     ${error}\n`);
  }
  process.stdout.write(
    `${acknowledged} answered for, ${lost.length} lost, ${wrong.length} runs wrong; ${refusals} times told to come back\n`,
  );
  await work.stop();
}

function print(times: number[], claim: string): void {
  const [slowest, sorted] = [Math.max(...times), [...times].sort((one, other) => one - other)];
  if (slowest > limitMilliseconds) process.exitCode = 1;
  const mark = slowest > limitMilliseconds ? "OVER" : "ok  ";
  const middle = sorted[Math.floor(sorted.length / 2)]!;
  process.stdout.write(
    `${mark} ${Math.round(middle)} ms, slowest ${Math.round(slowest)} ms (at most ${limitMilliseconds}) ${claim}\n`,
  );
}
