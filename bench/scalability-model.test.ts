import { expect, test } from "vitest";
import { fitModel, predict } from "./scalability-model.ts";

const counts = [1, 2, 4, 8, 16];

test("a model is found from what it predicts", () => {
  const model = { rate: 12, contention: 0.03, coherency: 0.0012 };
  const fitted = fitModel(counts.map((processes) => ({ processes, rate: predict(model, processes) })));
  expect(fitted.rate).toBeCloseTo(12, 6);
  expect(fitted.contention).toBeCloseTo(0.03, 6);
  expect(fitted.coherency).toBeCloseTo(0.0012, 6);
});

test("measurements that grow faster than their processes fit without contention", () => {
  const fitted = fitModel(counts.map((processes) => ({ processes, rate: 10 * processes ** 1.05 })));
  expect(fitted).toMatchObject({ contention: 0, coherency: 0 });
  expect(fitted.rate).toBeGreaterThan(10);
});
