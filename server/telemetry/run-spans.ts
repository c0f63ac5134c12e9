import {
  type Attributes,
  type Context,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import type { Attempt } from "#contracts/test-executioner/attempts.ts";
import { createSpanId, toTraceId } from "#libraries/running/trace-context.ts";
import type { RunTelemetry } from "../../services/test-executioner/jobs/run-telemetry.ts";

type EndedExecution = Parameters<RunTelemetry["executionEnded"]>[0];
type EndedRun = Parameters<RunTelemetry["runsEnded"]>[0][number];

/** The ids of the next span: they follow from rows, so that spans of several processes belong together. */
export class GivenIds {
  next = { traceId: "", spanId: "" };
  generateTraceId = () => this.next.traceId;
  generateSpanId = () => this.next.spanId;
}

/** Of a run or execution: the random end of its UUIDv7. */
const toSpanId = (id: string) => id.replaceAll("-", "").slice(-16);

const isFailure = (verdict: string | null) => verdict === "failed" || verdict === "errored" || verdict === "blocked";

/** Without the query, which may have personal data in it. Secrets are replaced already. */
function toSpanUrl(text: string): { attributes: Attributes } {
  if (!URL.canParse(text)) return { attributes: {} };
  const url = new URL(text);
  const port = url.port || (url.protocol === "https:" ? "443" : "80");
  return {
    attributes: {
      "url.full": `${url.origin}${url.pathname}`,
      "server.address": url.hostname,
      "server.port": Number(port),
    },
  };
}

/** Writes a run as a trace: a span for the run, one for each execution, one for each attempt. */
export function createRunSpans(tracer: Tracer, ids: GivenIds) {
  const childOf = (traceId: string, spanId: string): Context =>
    trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: TraceFlags.SAMPLED });

  function write(span: {
    name: string;
    traceId: string;
    spanId: string;
    parentId?: string;
    kind: SpanKind;
    startedAt: Date;
    finishedAt: Date;
    attributes: Attributes;
    /** Set for errors. */
    error?: string | undefined;
  }): void {
    const { traceId, spanId, parentId, kind, attributes, startedAt: startTime } = span;
    ids.next = { traceId, spanId };
    const context = parentId === undefined ? ROOT_CONTEXT : childOf(traceId, parentId);
    const opened = tracer.startSpan(span.name, { kind, attributes, startTime }, context);
    if (span.error !== undefined) opened.setStatus({ code: SpanStatusCode.ERROR, message: span.error });
    opened.end(span.finishedAt);
  }

  function writeAttempt(attempt: Attempt, { execution }: EndedExecution): void {
    const { request, response, cause, verdict, number } = attempt;
    if (!request) return;
    const startedAt = new Date(attempt.startedAt);
    const isOwnTrace = attempt.trace?.traceId === toTraceId(execution.run_id);
    write({
      name: `${request.method.toUpperCase()} ${execution.path}`,
      traceId: toTraceId(execution.run_id),
      // A test may have sent a trace of its own.
      spanId: isOwnTrace ? attempt.trace!.spanId : createSpanId(),
      parentId: toSpanId(execution.id),
      kind: SpanKind.CLIENT,
      startedAt,
      finishedAt: new Date(startedAt.getTime() + attempt.durationMilliseconds),
      attributes: {
        "http.request.method": request.method.toUpperCase(),
        "url.template": execution.path,
        ...toSpanUrl(request.url).attributes,
        "http.request.body.size": request.bodyBytes,
        ...(response
          ? {
              "http.response.status_code": response.status,
              "http.response.body.size": response.bodyBytes,
              "network.protocol.version": response.httpVersion,
            }
          : {}),
        ...(number > 1 ? { "http.request.resend_count": number - 1 } : {}),
        ...(cause
          ? { "error.type": cause.code }
          : response && response.status >= 400
            ? { "error.type": String(response.status) }
            : {}),
        "assurance.verdict": verdict,
      },
      error: isFailure(verdict) ? (cause?.detail ?? "") : undefined,
    });
  }

  return {
    writeExecution(result: EndedExecution): void {
      const { execution, attempts, verdict, cause, reason, finishedAt } = result;
      const [first] = attempts;
      write({
        name: execution.test_name,
        traceId: toTraceId(execution.run_id),
        spanId: toSpanId(execution.id),
        parentId: toSpanId(execution.run_id),
        kind: SpanKind.INTERNAL,
        startedAt: first ? new Date(first.startedAt) : finishedAt,
        finishedAt,
        attributes: {
          "assurance.organization.id": execution.organization_id,
          "assurance.run.id": execution.run_id,
          "assurance.execution.id": execution.id,
          "assurance.test.id": execution.test_id,
          "assurance.api.id": execution.api_id,
          "assurance.verdict": verdict,
          ...(cause ? { "error.type": cause.code } : {}),
        },
        error: isFailure(verdict) ? (reason ?? "") : undefined,
      });
      for (const attempt of attempts) writeAttempt(attempt, result);
    },

    writeRun(run: EndedRun): void {
      write({
        name: run.test_circle_name ?? `${run.source_kind} run`,
        traceId: toTraceId(run.id),
        spanId: toSpanId(run.id),
        kind: SpanKind.INTERNAL,
        startedAt: run.started_at ?? run.queued_at,
        finishedAt: run.finished_at!,
        attributes: {
          "assurance.organization.id": run.organization_id,
          "assurance.run.id": run.id,
          "assurance.run.source": run.source_kind,
          "assurance.run.trigger": run.trigger,
          "assurance.run.state": run.state,
          ...(run.test_circle_id ? { "assurance.circle.id": run.test_circle_id } : {}),
          ...(run.verdict ? { "assurance.verdict": run.verdict } : {}),
        },
        error: isFailure(run.verdict) ? `The verdict is ${run.verdict}.` : undefined,
      });
    },
  };
}
