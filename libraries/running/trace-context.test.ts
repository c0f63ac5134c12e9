import { expect, test } from "vitest";
import { createSpanId, readTraceparent, toTraceId, traceAttempt, writeTraceparent } from "./trace-context.ts";

const traceId = toTraceId("0198c1f4-7a3e-7c41-9d55-3f0a6b2c8e10");

test("each attempt is a span of its run's trace, in the form of W3C Trace Context", () => {
  const { trace, added } = traceAttempt([["accept", "*/*"]], traceId);
  expect(added).toEqual([
    ["traceparent", expect.stringMatching(/^00-0198c1f47a3e7c419d553f0a6b2c8e10-[0-9a-f]{16}-01$/)],
  ]);
  expect(readTraceparent(added[0]![1])).toEqual(trace);
  expect(traceAttempt([], traceId).trace).not.toEqual(trace);
  expect(createSpanId()).toMatch(/^[0-9a-f]{16}$/);
});

test("a test's own header wins, and a host without trace context gets none", () => {
  const own = { traceId: "4bf92f3577b34da6a3ce929d0e0e4736", spanId: "00f067aa0ba902b7" };
  expect(traceAttempt([["Traceparent", writeTraceparent(own)]], traceId)).toEqual({ trace: own, added: [] });
  expect(traceAttempt([["traceparent", "a test of bad headers"]], traceId)).toEqual({ trace: undefined, added: [] });
  expect(traceAttempt([], undefined)).toEqual({ added: [] });
});

test("headers that the standard calls invalid have no trace", () => {
  const [trace, span] = ["4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"];
  expect(readTraceparent(`cc-${trace}-${span}-00-later`)).toEqual({ traceId: trace, spanId: span });
  for (const text of [
    `00-${"0".repeat(32)}-${span}-01`,
    `00-${trace}-${"0".repeat(16)}-01`,
    `00-${trace}-${span}-01-more`,
    `ff-${trace}-${span}-01`,
    `00-${trace.toUpperCase()}-${span}-01`,
  ]) {
    expect(readTraceparent(text)).toBeUndefined();
  }
});
