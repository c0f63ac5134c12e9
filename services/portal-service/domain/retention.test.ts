import { expect, test } from "vitest";
import { toRetention } from "./retention.ts";

test("verdicts are retained four times as long as bodies, and at least as long as the operator's setting", () => {
  expect(toRetention({ retentionDays: 7 }, 90)).toEqual({ detailsDays: 7, verdictsDays: 90 });
  expect(toRetention({ retentionDays: 90 }, 90)).toEqual({ detailsDays: 90, verdictsDays: 360 });
  expect(toRetention({ retentionDays: 7 }, 1)).toEqual({ detailsDays: 7, verdictsDays: 28 });
});
