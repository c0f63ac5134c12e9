import type { Logger } from "pino";
import type { Configuration } from "../configuration.ts";
import type { Telemetry } from "./telemetry.ts";

/** The export of runs by OTLP; undefined, and none of its packages loaded, unless an endpoint is configured. */
export async function openTelemetry(
  { telemetry, version }: Pick<Configuration, "telemetry" | "version">,
  log: Logger,
): Promise<Telemetry | undefined> {
  const { endpoint, tracesEndpoint, metricsEndpoint, tracesExporter, metricsExporter, disabled } = telemetry;
  const traces = Boolean(endpoint ?? tracesEndpoint) && tracesExporter === "otlp";
  const metrics = Boolean(endpoint ?? metricsEndpoint) && metricsExporter === "otlp";
  if (disabled || !(traces || metrics)) return undefined;
  const { createOtlpExport } = await import("./otlp-export.ts");
  return createOtlpExport({
    ...{ version, log, traces, metrics },
    metricIntervalMilliseconds: telemetry.metricIntervalMilliseconds,
  });
}
