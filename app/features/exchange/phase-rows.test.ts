import { expect, test } from "vitest";
import { formatBytes, phaseRows } from "./phase-rows";

const none = { blocked: 0, dns: 0, connect: 0, tls: 0, send: 0, wait: 0, receive: 0, total: 0 };

test("each phase starts where the previous one ended", () => {
  expect(phaseRows({ ...none, dns: 2, connect: 3, wait: 10 })).toEqual([
    { name: "DNS lookup", startMilliseconds: 0, durationMilliseconds: 2 },
    { name: "Connecting", startMilliseconds: 2, durationMilliseconds: 3 },
    { name: "Waiting for the response", startMilliseconds: 5, durationMilliseconds: 10 },
  ]);
});

test("phases that a reused connection skips are left out", () => {
  expect(phaseRows({ ...none, send: 1 }).map(({ name }) => name)).toEqual(["Sending"]);
});

test.each([
  [0, "0 B"],
  [1_023, "1023 B"],
  [1_024, "1.0 KB"],
  [1_048_576, "1.0 MB"],
])("%i bytes are written %s", (bytes, words) => {
  expect(formatBytes(bytes)).toBe(words);
});
