import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { ApiStatus } from "./api-status";

const none = {
  ...{ apiId: "a", passed: 0, failed: 0, errored: 0, regional: 0, flaky: 0, unfinished: 0, failing: 0 },
  ...{ failingSince: null, lastFinishedAt: null, recovering: [] },
};
const status = (counts: Partial<typeof none>) =>
  renderToStaticMarkup(
    <ApiStatus apiId="a" executions={{ ...none, ...counts }} now="2026-11-30T00:00:00.000Z" />,
  ).replaceAll(/<[^>]+>/g, "");

test("an API whose tests have run is never said to be untested, whatever their verdicts", () => {
  expect(status({})).toBe("Not tested yet");
  expect(status({ regional: 3 })).toBe("3 regional");
  expect(status({ flaky: 1 })).toBe("1 flaky");
  expect(status({ passed: 2, regional: 1, flaky: 4 })).toBe("2 passing, 1 regional, 4 flaky");
  expect(status({ failed: 1, regional: 1 })).toBe("1 failing");
  expect(status({ errored: 1, regional: 1 })).toBe("1 erroring");
});
