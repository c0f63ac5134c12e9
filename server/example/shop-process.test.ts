import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startExampleShop } from "./shop-process.ts";

async function start(dataDirectory: string) {
  const shop = await startExampleShop(dataDirectory);
  onTestFinished(() => shop.close());
  return shop;
}

function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "example-shop-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test("the shops of two data folders run side by side, each at the same address from then on", async () => {
  const [first, second] = [createFolder(), createFolder()];
  const one = await start(first);
  const other = await start(second);
  expect(other.base).not.toBe(one.base);
  await other.close();
  expect((await start(second)).base).toBe(other.base);
});
