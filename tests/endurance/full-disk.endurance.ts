import { execFileSync } from "node:child_process";
import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { startCluster } from "../../scripts/postgres.js";
import { startPortalsOn } from "../support/portals-at-work.ts";
import { ask } from "../support/raw-request.ts";

const times = 3;
const refused = (portals: { refusals: number }[]) => portals.reduce((sum, { refusals }) => sum + refusals, 0);

/** The free space is not known in advance, since the database is writing. */
function fill(file: string): void {
  try {
    for (;;) appendFileSync(file, Buffer.alloc(65_536));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
  }
}

/** Needs root, to mount a small disk. PostgreSQL exits when its log can't be written, and is restarted by an operator. */
test("D04: PostgreSQL's disk is full three times, and what was acknowledged is there, counted once", async () => {
  const disk = mkdtempSync(join(tmpdir(), "small-disk-"));
  execFileSync("mount", ["-t", "tmpfs", "-o", "size=400m,mode=755", "tmpfs", disk]);
  const folder = join(disk, "cluster");
  execFileSync("mkdir", [folder]);
  const filler = join(disk, "filler");
  const cluster = await startCluster(["jit=off", "max_wal_size=64MB", "restart_after_crash=on"], folder);
  const work = await startPortalsOn(cluster, 1);
  onTestFinished(async () => {
    await work.stop();
    execFileSync("umount", ["-l", disk]);
    rmSync(disk, { recursive: true, force: true });
  });
  const isRunning = () => {
    try {
      process.kill(cluster.pid(), 0);
      return true;
    } catch {
      return false;
    }
  };
  for (let number = 0; number < times; number += 1) {
    await work.moreIsDone(20);
    const before = refused(work.portals);
    fill(filler);
    while (refused(work.portals) < before + 20) await pause(50);
    const { status } = await ask(work.portals[0]!.origin, "/actuator/health");
    expect(status).toBe(503);
    rmSync(filler);
    await pause(1_000);
    if (!isRunning()) {
      rmSync(join(folder, "cluster", "postmaster.pid"), { force: true });
      cluster.start();
    }
    await work.moreIsDone(20);
  }
  const { acknowledged, lost, wrong } = await work.settle();
  expect({ lost, wrong }).toEqual({ lost: [], wrong: [] });
  const unexpected = work.portals.flatMap((portal) => portal.unexpected);
  // 507 is the other expected refusal.
  expect(unexpected.filter((refusal) => !/: 507, retry after \d+$/.test(refusal))).toEqual([]);
  process.stdout.write(`PostgreSQL's disk full: ${times} times, acknowledged: ${acknowledged}, lost or doubled: 0\n`);
});
