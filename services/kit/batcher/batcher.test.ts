import { expect, test } from "vitest";
import { Batcher } from "./batcher.ts";

function collecting(options: Partial<ConstructorParameters<typeof Batcher<number, number>>[0]> = {}) {
  const batches: number[][] = [];
  const batcher = new Batcher<number, number>({
    maxItems: 10,
    lingerMilliseconds: 0,
    async run(inputs) {
      batches.push(inputs);
      await new Promise((resolve) => setTimeout(resolve, 5));
      if (inputs.includes(-1)) throw new Error("no");
      return inputs.map((input) => input * 2);
    },
    ...options,
  });
  return { batches, batcher };
}

test("inputs that arrive together form one batch, inputs that arrive during it form the next", async () => {
  const { batches, batcher } = collecting();
  const first = [1, 2, 3].map((input) => batcher.add(input));
  await new Promise((resolve) => setTimeout(resolve, 2));
  const second = [4, 5].map((input) => batcher.add(input));
  expect(await Promise.all([...first, ...second])).toEqual([2, 4, 6, 8, 10]);
  expect(batches).toEqual([
    [1, 2, 3],
    [4, 5],
  ]);
});

test("a batch contains no more than allowed, by number and by weight", async () => {
  const { batches, batcher } = collecting({ maxItems: 3, weigh: (input) => input, maxWeight: 10 });
  await Promise.all([1, 1, 1, 1, 8, 8, 50, 1].map((input) => batcher.add(input)));
  expect(batches).toEqual([[1, 1, 1], [1, 8], [8], [50], [1]]);
});

test("a failing batch fails its own inputs, not those after it", async () => {
  const { batcher } = collecting({ maxItems: 2 });
  const ends = await Promise.allSettled([1, -1, 3].map((input) => batcher.add(input)));
  expect(ends.map(({ status }) => status)).toEqual(["rejected", "rejected", "fulfilled"]);
});

test("a batch waits for further inputs until an urgent one arrives", async () => {
  const { batches, batcher } = collecting({ lingerMilliseconds: 60_000 });
  const ends = [batcher.add(1), batcher.add(2)];
  await new Promise((resolve) => setImmediate(resolve));
  expect(batches).toEqual([]);
  expect(await Promise.all([...ends, batcher.add(3, true)])).toEqual([2, 4, 6]);
  expect(batches).toEqual([[1, 2, 3]]);
});

test("an urgent input that arrived during a batch runs immediately after it, and a full batch doesn't wait", async () => {
  const { batches, batcher } = collecting({ lingerMilliseconds: 60_000, maxItems: 2 });
  await Promise.all([batcher.add(1), batcher.add(2), batcher.add(3, true)]);
  expect(batches).toEqual([[1, 2], [3]]);
});
