import { afterAll, beforeAll, expect, test } from "vitest";
import { type PortalsAtWork, startPortalsOn } from "../support/portals-at-work.ts";
import { startPatroni } from "./patroni-cluster.ts";

const kills = Number(process.env.ROUNDS ?? 10);

let work: PortalsAtWork<Awaited<ReturnType<typeof startPatroni>>>;
beforeAll(async () => {
  work = await startPortalsOn(await startPatroni(), 2);
});
afterAll(() => work?.stop());

test("killing the primary repeatedly under load loses no acknowledged write and runs nothing twice", async () => {
  const { cluster } = work;
  const seconds: number[] = [];
  await work.moreIsDone(3);
  for (let number = 0; number < kills; number += 1) {
    const begun = performance.now();
    const startAgain = await cluster.killPrimary();
    await work.moreIsDone(1);
    seconds.push((performance.now() - begun) / 1_000);
    startAgain();
    await cluster.untilBoth();
    await work.moreIsDone(3);
  }
  const { acknowledged, lost, wrong } = await work.settle();
  expect({ lost, wrong }).toEqual({ lost: [], wrong: [] });
  for (const { unexpected } of work.portals) expect(unexpected).toEqual([]);
  const sorted = seconds.sort((one, other) => one - other);
  process.stdout.write(
    `primaries killed: ${kills}, acknowledged: ${acknowledged}, lost or doubled: 0, first writes, runs and pages again ` +
      `after p50 ${sorted[Math.floor(kills / 2)]!.toFixed(1)} s, at most ${sorted.at(-1)!.toFixed(1)} s\n`,
  );
});
