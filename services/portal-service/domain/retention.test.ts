import { expect, test } from "vitest";
import { retentionOf } from "./retention.ts";

test("verdicts stay four times as long as bodies, and three months at least", () => {
  expect(retentionOf({ retentionDays: 7 })).toEqual({ detailsDays: 7, verdictsDays: 90 });
  expect(retentionOf({ retentionDays: 90 })).toEqual({ detailsDays: 90, verdictsDays: 360 });
});
