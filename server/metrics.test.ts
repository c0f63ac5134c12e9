import { expect, test } from "vitest";
import { type Family, gauge } from "../services/kit/metrics/metrics.ts";
import type { RunningService } from "../services/kit/service/running-service.ts";
import { collectMetrics } from "./metrics.ts";

const toSource = (...families: Family[]) => ({ metrics: async () => families }) as unknown as RunningService;

test("metrics of several services under one name form one family with the samples of all", async () => {
  const waiting = gauge("waiting", "What waits.", 1);
  const families = await collectMetrics([
    toSource(waiting, gauge("own", "Of one.", 3)),
    toSource({ ...waiting, samples: [{ labels: { of: "b" }, value: 2 }] }),
    { app: undefined, stop: async () => {} } as unknown as RunningService,
  ]);
  expect(families.map(({ name, samples }) => [name, samples.map(({ value }) => value)])).toEqual([
    ["waiting", [1, 2]],
    ["own", [3]],
  ]);
  expect(waiting.samples).toHaveLength(1);
});
