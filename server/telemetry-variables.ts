import { z } from "zod";
import { variable } from "./variable.ts";
import { exporter, httpAddress, wholeNumber } from "./variable-kinds.ts";

/** OpenTelemetry's, as its specification names them. */
export const telemetryVariables = {
  endpoint: variable("OTEL_EXPORTER_OTLP_ENDPOINT", httpAddress, {
    unset: "nothing is exported",
    meaning:
      "the OpenTelemetry collector that gets [runs as traces and metrics](../telemetry.md#opentelemetry), e.g. `http://collector:4318`; other `OTEL_` variables as specified",
  }),
  tracesEndpoint: variable("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", httpAddress, {
    unset: "`/v1/traces` below that endpoint",
    meaning: "where traces go, a whole address",
  }),
  metricsEndpoint: variable("OTEL_EXPORTER_OTLP_METRICS_ENDPOINT", httpAddress, {
    unset: "`/v1/metrics` below that endpoint",
    meaning: "where metrics go, a whole address",
  }),
  protocol: variable("OTEL_EXPORTER_OTLP_PROTOCOL", z.enum(["http/json"], { error: "needs http/json" }), {
    default: "http/json",
    meaning: "the only protocol there is",
  }),
  tracesExporter: variable("OTEL_TRACES_EXPORTER", exporter, {
    default: "otlp",
    meaning: "`none` exports no traces",
  }),
  metricsExporter: variable("OTEL_METRICS_EXPORTER", exporter, {
    default: "otlp",
    meaning: "`none` exports no metrics",
  }),
  metricIntervalMilliseconds: variable(
    "OTEL_METRIC_EXPORT_INTERVAL",
    wholeNumber(100, 3_600_000, "needs a number of milliseconds from 100 to 3600000"),
    { default: "60000", meaning: "milliseconds between two exports of metrics" },
  ),
  disabled: variable(
    "OTEL_SDK_DISABLED",
    z.enum(["true", "false"], { error: "needs true or false" }).transform((text) => text === "true"),
    { default: "false", meaning: "`true` exports nothing" },
  ),
};
