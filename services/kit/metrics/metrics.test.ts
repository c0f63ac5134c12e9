import { expect, test } from "vitest";
import { counter, DurationHistogram, gauge, renderFamilies } from "./metrics.ts";

test("counters, gauges and histograms are written as OpenMetrics, with labels escaped", () => {
  const times = new DurationHistogram("http_request_duration_seconds", "How long", [0.1, 1]);
  times.observe({ route: "/a", status: "200" }, 0.05);
  times.observe({ route: "/a", status: "200" }, 0.5);
  times.observe({ route: "/a", status: "200" }, 5);
  const odd = { ...gauge("odd", 'A "line"\nbreak', 1), samples: [{ labels: { name: 'a"b\\c\nd' }, value: 1 }] };
  expect(renderFamilies([counter("errors", "Errors", 3), times.family(), odd])).toBe(
    `# TYPE errors counter
# HELP errors Errors
errors_total 3
# TYPE http_request_duration_seconds histogram
# HELP http_request_duration_seconds How long
http_request_duration_seconds_bucket{route="/a",status="200",le="0.1"} 1
http_request_duration_seconds_bucket{route="/a",status="200",le="1"} 2
http_request_duration_seconds_bucket{route="/a",status="200",le="+Inf"} 3
http_request_duration_seconds_count{route="/a",status="200"} 3
http_request_duration_seconds_sum{route="/a",status="200"} 5.55
# TYPE odd gauge
# HELP odd A \\"line\\"\\nbreak
odd{name="a\\"b\\\\c\\nd"} 1
# EOF
`,
  );
});
