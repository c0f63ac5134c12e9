import { type ChildProcess, spawn } from "node:child_process";
import { chownSync, existsSync, linkSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { nodeArguments } from "../testing/node-process.ts";
import { FolderInUse, FolderUnusable, lockFolder } from "./folder-lock.ts";

interface Contender {
  child: ChildProcess;
  pid: number;
  say(line: string): Promise<string>;
}

const program = new URL("./testing/contender-process.ts", import.meta.url).pathname;
const started: ChildProcess[] = [];
let directory: string;
let folders = 0;

async function startContender(options: { uid?: number } = {}): Promise<Contender> {
  const child = spawn(process.execPath, nodeArguments(program), {
    stdio: ["pipe", "pipe", "inherit"],
    env: { ...process.env, TMPDIR: directory },
    ...options,
  });
  started.push(child);
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
  await lines.next();
  return {
    child,
    pid: child.pid!,
    async say(line) {
      child.stdin!.write(`${line}\n`);
      return (await lines.next()).value ?? "ended";
    },
  };
}

async function kill({ child }: Contender): Promise<void> {
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGKILL");
  await ended;
}

function freshFolder(): string {
  folders += 1;
  return join(directory, `folder-${folders}`);
}

/** The remains of a process killed with `kill -9`: its claim, and a socket without a listener. */
async function leaveStaleLock(folder: string): Promise<void> {
  const owner = join(folder, "owner");
  mkdirSync(owner, { recursive: true });
  const server = createServer().listen(join(owner, "bound.sock"));
  await new Promise((listening) => server.once("listening", listening));
  linkSync(join(owner, "bound.sock"), join(owner, "1-00dead.sock"));
  await new Promise((closed) => server.close(closed));
  symlinkSync("1-00dead.sock", join(owner, "1"));
}

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "folder-lock-"));
});
afterEach(() => {
  for (const child of started.splice(0)) child.kill("SIGKILL");
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

test("D03: a second owner is refused and given the first one's pid, even when the first is frozen", async () => {
  const folder = freshFolder();
  const owner = await startContender();
  expect(await owner.say(`lock ${folder}`)).toBe("owns");
  owner.child.kill("SIGSTOP");
  const refused = await lockFolder(folder).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(FolderInUse);
  expect(refused).toMatchObject({ ownerPid: owner.pid, message: expect.stringContaining(`process ${owner.pid}`) });
});

test("D03: the lock of a killed process is taken over repeatedly", async () => {
  const folder = freshFolder();
  for (let round = 0; round < 3; round++) {
    const owner = await startContender();
    expect(await owner.say(`lock ${folder}`)).toBe("owns");
    await kill(owner);
  }
  const lock = await lockFolder(folder);
  expect(readdirSync(join(folder, "owner")).filter((name) => name.endsWith(".sock"))).toHaveLength(1);
  await lock.release();
});

test("D03: of processes that race for a stale lock exactly one wins, and the others name it", async () => {
  const contenders = await Promise.all(Array.from({ length: 5 }, () => startContender()));
  for (let round = 0; round < 60; round++) {
    const folder = freshFolder();
    await leaveStaleLock(folder);
    const responses = await Promise.all(contenders.map((contender) => contender.say(`lock ${folder}`)));
    const winners = contenders.filter((_, index) => responses[index] === "owns");
    expect(winners, responses.join(", ")).toHaveLength(1);
    expect(responses.filter((response) => response === `refused ${winners[0]!.pid}`)).toHaveLength(4);
    await Promise.all(contenders.map((contender) => contender.say("release")));
  }
});

test("D03: owners that start and stop in a race never overlap", async () => {
  const folder = freshFolder();
  let owners = 0;
  let owned = 0;
  const contenders = await Promise.all(Array.from({ length: 4 }, () => startContender()));
  await Promise.all(
    contenders.map(async (contender) => {
      for (let round = 0; round < 80; round++) {
        if ((await contender.say(`lock ${folder}`)) !== "owns") continue;
        owners += 1;
        owned += 1;
        expect(owners).toBe(1);
        await new Promise((resolve) => setTimeout(resolve, 2));
        // Counted out before the release: the successor may be quicker than the response.
        owners -= 1;
        await contender.say("release");
      }
    }),
  );
  expect(owned).toBeGreaterThan(10);
});

test("D03: a starter so slow that two owners came and went meanwhile does not own the folder together with the third", async () => {
  let late = 0;
  for (let turns = 0; turns < 12; turns++) {
    const folder = freshFolder();
    const owner = join(folder, "owner");
    await leaveStaleLock(folder);
    const third = createServer().listen(join(owner, "3-third0.sock"));
    await new Promise((listening) => third.once("listening", listening));
    const slow = lockFolder(folder).catch((error: unknown) => error);
    for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => process.nextTick(resolve));
    if (!existsSync(join(owner, "2"))) {
      symlinkSync("3-third0.sock", join(owner, "3"));
      rmSync(join(owner, "1"));
      expect(await slow).toMatchObject({ ownerPid: 3 });
      late += 1;
    }
    third.close();
  }
  expect(late).toBeGreaterThan(1);
});

test("a released folder is available immediately and contains no socket", async () => {
  const folder = freshFolder();
  const first = await lockFolder(folder);
  await expect(lockFolder(folder)).rejects.toThrow(FolderInUse);
  await first.release();
  expect(readdirSync(join(folder, "owner")).filter((name) => name.endsWith(".sock"))).toEqual([]);
  const second = await lockFolder(folder);
  await second.release();
});

test("a folder whose path exceeds the length limit of a socket is locked all the same", async () => {
  const folder = join(freshFolder(), "a".repeat(90), "b".repeat(90));
  const owner = await startContender();
  expect(await owner.say(`lock ${folder}`)).toBe("owns");
  await expect(lockFolder(folder)).rejects.toThrow(`in use by process ${owner.pid}`);
  await kill(owner);
  const lock = await lockFolder(folder);
  await lock.release();
  expect(readdirSync(join(folder, "owner")).filter((name) => name.endsWith(".sock"))).toEqual([]);
});

test("a path through a file is refused with a sentence that says so", async () => {
  const refused = await lockFolder("/dev/null/portal").catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(FolderUnusable);
  expect((refused as Error).message).toBe(
    "The data folder /dev/null/portal cannot be used: a part of its path is a file. Make it writable for this user, or set DATA_DIRECTORY to another folder.",
  );
});

test("a read-only folder is refused with a sentence that says what to do", async () => {
  const folder = freshFolder();
  mkdirSync(folder, { mode: 0o555 });
  // Root may write everywhere, so as root this can't be tested.
  const asRoot = process.getuid?.() === 0;
  if (asRoot) chownSync(directory, 65_534, 65_534);
  const contender = await startContender(asRoot ? { uid: 65_534 } : {});
  expect(await contender.say(`lock ${folder}`)).toBe(
    `failed The data folder ${folder} cannot be used: this user may not write there. Make it writable for this user, or set DATA_DIRECTORY to another folder.`,
  );
  expect(existsSync(join(folder, "owner"))).toBe(false);
});
