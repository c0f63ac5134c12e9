import { DiagLogLevel, diag } from "@opentelemetry/api";
import { OTLPMetricExporter } from "@opentelemetry/exporter-metrics-otlp-http";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from "@opentelemetry/resources";
import { MeterProvider, PeriodicExportingMetricReader } from "@opentelemetry/sdk-metrics";
import { AlwaysOnSampler, BasicTracerProvider, BatchSpanProcessor } from "@opentelemetry/sdk-trace-base";
import type { Logger } from "pino";
import { createRunSpans, GivenIds } from "./run-spans.ts";
import type { Telemetry } from "./telemetry.ts";

interface ExportOptions {
  version: string;
  log: Logger;
  traces: boolean;
  metrics: boolean;
  metricIntervalMilliseconds: number;
}

const scope = "api-assurance";
const seconds = {
  unit: "s",
  advice: { explicitBucketBoundaries: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60] },
};

/**
 * Exports runs to an OpenTelemetry collector by OTLP over HTTP (JSON). Where to and how often, the packages read from the
 * variables that OpenTelemetry specifies. The address is the operator's, so it is not subject to egress rules.
 */
export function createOtlpExport({
  version,
  log,
  traces,
  metrics,
  metricIntervalMilliseconds,
}: ExportOptions): Telemetry {
  const warn = (message: string, ...details: unknown[]) => log.warn({ details: details.map(String) }, message);
  const silent = () => {};
  diag.setLogger({ error: warn, warn, info: silent, debug: silent, verbose: silent }, DiagLogLevel.WARN);
  const own = resourceFromAttributes({ "service.name": scope, "service.version": version });
  const resource = defaultResource()
    .merge(own)
    .merge(detectResources({ detectors: [envDetector] }));

  const ids = new GivenIds();
  const tracerProvider = new BasicTracerProvider({
    resource,
    idGenerator: ids,
    sampler: new AlwaysOnSampler(),
    spanProcessors: traces ? [new BatchSpanProcessor(new OTLPTraceExporter())] : [],
  });
  const meterProvider = new MeterProvider({
    resource,
    readers: metrics
      ? [
          new PeriodicExportingMetricReader({
            exporter: new OTLPMetricExporter(),
            exportIntervalMillis: metricIntervalMilliseconds,
            exportTimeoutMillis: Math.min(30_000, metricIntervalMilliseconds),
          }),
        ]
      : [],
  });
  const spans = createRunSpans(tracerProvider.getTracer(scope, version), ids);
  const meter = meterProvider.getMeter(scope, version);
  const executions = meter.createCounter("assurance.executions", { description: "Executions that ended, by verdict." });
  const responses = meter.createHistogram("assurance.response.duration", {
    description: "Until the response of an execution's last attempt was complete.",
    ...seconds,
  });
  const runs = meter.createCounter("assurance.runs", { description: "Runs that ended, by verdict and source." });
  const runDurations = meter.createHistogram("assurance.run.duration", {
    description: "How long runs took.",
    ...seconds,
  });

  return {
    executionEnded(result) {
      const { verdict, responseMilliseconds } = result;
      executions.add(1, { "assurance.verdict": verdict });
      if (responseMilliseconds !== null)
        responses.record(responseMilliseconds / 1_000, { "assurance.verdict": verdict });
      if (traces) spans.writeExecution(result);
    },
    runsEnded(ended) {
      for (const run of ended) {
        const attributes = { "assurance.verdict": run.verdict ?? "cancelled", "assurance.run.source": run.source_kind };
        runs.add(1, attributes);
        const startedAt = run.started_at ?? run.queued_at;
        runDurations.record(Math.max(0, run.finished_at!.getTime() - startedAt.getTime()) / 1_000, attributes);
        if (traces) spans.writeRun(run);
      }
    },
    async close() {
      // A collector that is away must not keep the process.
      await Promise.allSettled([tracerProvider.shutdown(), meterProvider.shutdown()]);
    },
  };
}
