import type { Attempt } from "#contracts/test-executioner/attempts.ts";
import { curlOfSent } from "~/features/code-samples/curl-of-sent";
import { href } from "~/href";
import { CodeBlock } from "~/ui/code-block/code-block";
import { Disclosure } from "~/ui/disclosure/disclosure";
import type { JsonHighlight } from "~/ui/json-view/fold-json";
import { Stack } from "~/ui/layout/layout";
import { formatMilliseconds, Waterfall } from "~/ui/plot/waterfall";
import { BodyView } from "./body-view";
import { toCurlElementId } from "./curl-element-id";
import { HeaderList } from "./header-list";
import { formatBytes, phaseRows } from "./phase-rows";
import { ResponseCard } from "./response-card";

export interface AttemptViewProps {
  attempt: Omit<Attempt, "verdict">;
  params: { apiId: string; testId: string; testExecutionId: string };
  /** Errors in the response's body, and those in its headers. */
  bodyMarks?: readonly JsonHighlight[];
  headerMarks?: ReadonlyMap<string, string>;
}

/** One attempt: the response as received, the request as sent, and the timing. */
export function AttemptView({ attempt, params, bodyMarks, headerMarks }: AttemptViewProps) {
  const { request, response, phases, number, durationMilliseconds, cause } = attempt;
  const failure = cause && phases ? { detail: cause.detail, afterMilliseconds: phases.receive } : undefined;
  const getFile = (of: "request" | "response") =>
    href("/test-management/:apiId/tests/:testId/executions/:testExecutionId/body", params, {
      attempt: String(number),
      of,
    });
  return (
    <Stack gap="medium">
      {response && (
        <ResponseCard {...{ response, number, failure, bodyMarks, headerMarks }} file={getFile("response")} />
      )}
      {request && <RequestPart request={request} number={number} file={getFile("request")} />}
      {phases && (
        <Disclosure look="framed" summary={`Time: ${formatMilliseconds(durationMilliseconds)}`}>
          <Waterfall caption={`Phases of attempt ${number}`} captionHidden phases={phaseRows(phases)} />
        </Disclosure>
      )}
    </Stack>
  );
}

interface RequestPartProps {
  request: NonNullable<Attempt["request"]>;
  number: number;
  file: string;
}

function RequestPart({ request, number, file }: RequestPartProps) {
  const { method, headers, body, bodyBytes } = request;
  return (
    <Disclosure
      look="framed"
      summary={`Request: ${method}, ${body === null ? "without a body" : `body of ${formatBytes(bodyBytes)}`}`}
    >
      <Stack gap="medium">
        <HeaderList caption="Request headers" headers={headers} />
        <CodeBlock id={toCurlElementId(number)} label="As cURL" wrap copy code={curlOfSent(request)} />
        {body !== null && <BodyView id={`request-body-${number}`} label="Request body" text={body} file={file} />}
      </Stack>
    </Disclosure>
  );
}
