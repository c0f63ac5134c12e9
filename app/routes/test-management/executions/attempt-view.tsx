import type { Attempt, TraceContext } from "#contracts/test-executioner/attempts.ts";
import { phaseRows } from "~/features/exchange/phase-rows";
import { RequestPart } from "~/features/exchange/request-part";
import { ResponseCard } from "~/features/exchange/response-card";
import { toTraceHref } from "~/features/tracing/trace-link";
import { href } from "~/href";
import { Disclosure } from "~/ui/disclosure/disclosure";
import type { JsonHighlight } from "~/ui/json-view/fold-json";
import { Stack } from "~/ui/layout/layout";
import { formatMilliseconds, Waterfall } from "~/ui/plot/waterfall";
import { toCurlElementId } from "./curl-element-id";

export interface AttemptViewProps {
  attempt: Omit<Attempt, "verdict">;
  params: { apiId: string; testId: string; testExecutionId: string };
  /** Errors in the response's body, and those in its headers. */
  bodyMarks?: readonly JsonHighlight[];
  headerMarks?: ReadonlyMap<string, string>;
  /** Template of links to the organization's tracer. */
  traceLink?: string;
}

/** One attempt: the response as received, the request as sent, and the timing. */
export function AttemptView({ attempt, params, bodyMarks, headerMarks, traceLink }: AttemptViewProps) {
  const { request, response, phases, number, durationMilliseconds, cause, trace } = attempt;
  const failure = cause && phases ? { detail: cause.detail, afterMilliseconds: phases.receive } : undefined;
  const getFile = (of: "request" | "response") =>
    href("/test-management/:apiId/tests/:testId/executions/:testExecutionId/body", params, {
      attempt: String(number),
      of,
    });
  return (
    <Stack gap="medium">
      {response && (
        <ResponseCard {...{ response, failure, bodyMarks, headerMarks }} id={number} file={getFile("response")} />
      )}
      {request && (
        <RequestPart request={request} id={number} curlId={toCurlElementId(number)} file={getFile("request")} />
      )}
      {phases && (
        <Disclosure look="framed" summary={`Time: ${formatMilliseconds(durationMilliseconds)}`}>
          <Waterfall caption={`Phases of attempt ${number}`} captionHidden phases={phaseRows(phases)} />
        </Disclosure>
      )}
      {trace && <TraceLine trace={trace} traceLink={traceLink} />}
    </Stack>
  );
}

function TraceLine({ trace, traceLink }: { trace: TraceContext; traceLink: string | undefined }) {
  const traceHref = toTraceHref(traceLink, trace);
  return (
    <p>
      Trace{" "}
      {traceHref ? (
        <a href={traceHref} rel="noreferrer">
          <code>{trace.traceId}</code>
        </a>
      ) : (
        <code>{trace.traceId}</code>
      )}
      , span <code>{trace.spanId}</code>
    </p>
  );
}
