import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { Outbox } from "./outbox.ts";
import { writeResult } from "./result-sender.ts";
import { failed } from "./task-runner.ts";

const folders: string[] = [];
function makeFolder(): string {
  const folder = join(mkdtempSync(join(tmpdir(), "agent-")), "results");
  folders.push(folder);
  return folder;
}
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const executionId = "0198c1f4-7a3e-7c41-9d55-3f0a6b2c8e10";
const kept = (fence: number, json = "{}") => ({ executionId, fence, json });

async function open(folder: string): Promise<Outbox> {
  const outbox = new Outbox(folder);
  await outbox.load();
  return outbox;
}

test("a stored result is there after the process was killed, readable by its user only", async () => {
  const folder = makeFolder();
  const outbox = await open(folder);
  outbox.add(kept(3, '{"a":1}'));
  expect(await outbox.store()).toBe(0);
  const [name] = readdirSync(folder);
  expect(statSync(join(folder, name!)).mode & 0o777).toBe(0o600);
  const again = await open(folder);
  expect(again.list()).toMatchObject([{ executionId, fence: 3, json: '{"a":1}' }]);
  await again.remove(again.list()[0]!);
  expect([again.size, readdirSync(folder)]).toEqual([0, []]);
});

test("two that store at the same time drop nothing", async () => {
  const outbox = await open(makeFolder());
  outbox.add(kept(1));
  expect(await Promise.all([outbox.store(), outbox.store()])).toEqual([0, 0]);
  expect(outbox.size).toBe(1);
});

test("a file that a killed process wrote half is removed", async () => {
  const folder = makeFolder();
  await open(folder);
  writeFileSync(join(folder, `${executionId}.1.json.new`), '{"half');
  const outbox = await open(folder);
  expect([outbox.size, readdirSync(folder)]).toEqual([0, []]);
});

test("a result of a newer claim is not removed with the one before", async () => {
  const outbox = await open(makeFolder());
  const before = kept(1);
  outbox.add(before);
  outbox.add(kept(2));
  await outbox.remove(before);
  expect(outbox.list()).toMatchObject([{ fence: 2 }]);
});

test("the folder is bounded: what is beyond is dropped, to be run again", async () => {
  const outbox = await open(makeFolder());
  const large = "x".repeat(100 * 1_048_576);
  for (const last of ["1", "2", "3"]) {
    outbox.add({ executionId: executionId.slice(0, -1) + last, fence: 1, json: large });
  }
  expect(await outbox.store()).toBe(1);
  expect(outbox.size).toBe(2);
});

test("halves of characters, which no portal accepts, are replaced", () => {
  const result = { ...failed(kept(1), "a", new Date(0)), cookies: "a\ud800b" };
  expect(JSON.parse(writeResult(result))).toMatchObject({ cookies: "a\ufffdb" });
});
