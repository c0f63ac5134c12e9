import { href } from "~/href";
import { Card } from "~/ui/card/card";
import { CodeBlock } from "~/ui/code-block/code-block";
import { DefinitionList } from "~/ui/definition-list/definition-list";
import { Disclosure } from "~/ui/disclosure/disclosure";
import { Grid, Stack } from "~/ui/layout/layout";
import { Notice } from "~/ui/notice/notice";
import { formatMilliseconds, Waterfall } from "~/ui/plot/waterfall";
import type { Attempt } from "../../../../services/test-executioner/contract/attempts.ts";
import { BodyView } from "./body-view";
import { HeaderList } from "./header-list";
import { formatBytes, phaseRows } from "./phase-rows";
import { useExecution } from "./use-execution";

/** Where the body of an attempt's request or response is had as a file. */
function useBodyFile(attempt: number, of: "request" | "response"): string {
  const { apiId, testId, id: testExecutionId } = useExecution();
  return href(
    "/test-management/:apiId/tests/:testId/executions/:testExecutionId/body",
    { apiId, testId, testExecutionId },
    { attempt: String(attempt), of },
  );
}

type ShownAttempt = Omit<Attempt, "verdict">;

/** One attempt: the request as it was sent, the answer as it came, and where the time went. */
export function AttemptView({ attempt }: { attempt: ShownAttempt }) {
  const { request, response, phases, number, cause } = attempt;
  return (
    <Stack gap="large">
      {cause && !response && (
        <Notice tone="warning" title="No answer came">
          {cause.detail}
        </Notice>
      )}
      {phases && (
        <Card title="Where the time went" headingLevel={2}>
          <Waterfall caption={`Phases of attempt ${number}`} captionHidden phases={phaseRows(phases)} />
        </Card>
      )}
      <Grid cell="large">
        {request && <RequestCard request={request} number={number} />}
        {response && <ResponseCard response={response} number={number} took={attempt.durationMilliseconds} />}
      </Grid>
    </Stack>
  );
}

function RequestCard({ request, number }: { request: NonNullable<ShownAttempt["request"]>; number: number }) {
  const file = useBodyFile(number, "request");
  return (
    <Card title="Request as sent">
      <Stack gap="medium">
        <CodeBlock label="Request line" labelHidden wrap code={`${request.method} ${request.url}`} />
        <HeaderList caption="Request headers" headers={request.headers} />
        {request.body === null ? (
          <p>Without a body.</p>
        ) : (
          <BodyView
            id={`request-body-${number}`}
            label={`Request body, ${formatBytes(request.bodyBytes)}`}
            text={request.body}
            file={file}
          />
        )}
      </Stack>
    </Card>
  );
}

interface ResponseCardProps {
  response: NonNullable<ShownAttempt["response"]>;
  number: number;
  took: number;
}

function ResponseCard({ response, number, took }: ResponseCardProps) {
  const { tls, redirects, truncated, bodyBytes } = response;
  return (
    <Card title="Response">
      <Stack gap="medium">
        <DefinitionList
          look="columns"
          items={[
            { term: "Status", value: `${response.status} ${response.statusText}`.trim() },
            { term: "Time", value: formatMilliseconds(took) },
            { term: "Size", value: formatBytes(bodyBytes) },
            { term: "Protocol", value: `HTTP/${response.httpVersion}` },
            redirects.length > 0 && { term: "Answered by", value: response.url },
          ]}
        />
        {redirects.length > 0 && (
          <Disclosure summary={`${redirects.length === 1 ? "1 redirect" : `${redirects.length} redirects`} followed`}>
            <ol>
              {redirects.map(({ url, status, location }) => (
                <li key={url}>
                  {status} <code>{url}</code> to <code>{location}</code>
                </li>
              ))}
            </ol>
          </Disclosure>
        )}
        <HeaderList caption="Response headers" headers={response.headers} />
        {truncated && (
          <Notice tone="warning" title="The body is cut here">
            It is larger than what is kept; {formatBytes(bodyBytes)} are shown.
          </Notice>
        )}
        <ResponseBody response={response} number={number} />
        {tls && (
          <Disclosure summary={`Certificate: ${tls.daysLeft} days left, ${tls.protocol}`}>
            <DefinitionList
              items={[
                { term: "Subject", value: tls.subject },
                { term: "Issuer", value: tls.issuer },
                { term: "Valid", value: `${tls.validFrom} to ${tls.validTo}` },
                { term: "Cipher", value: tls.cipher },
                { term: "Fingerprint (SHA-256)", value: <code>{tls.fingerprint256}</code> },
              ]}
            />
          </Disclosure>
        )}
      </Stack>
    </Card>
  );
}

function ResponseBody({ response, number }: Pick<ResponseCardProps, "response" | "number">) {
  const file = useBodyFile(number, "response");
  if (response.bodyBytes === 0) return <p>Without a body.</p>;
  if (response.body === null) return <BinaryBody response={response} number={number} />;
  return <BodyView id={`response-body-${number}`} label="Response body" text={response.body} file={file} />;
}

function BinaryBody({ response, number }: Pick<ResponseCardProps, "response" | "number">) {
  const { bodyBytes, bodyPreview } = response;
  const size = `${bodyBytes.toLocaleString("en")} bytes`;
  if (!bodyPreview) return <p>The body is binary, {size}. Only its size is kept.</p>;
  return (
    <>
      <p>The body is binary, {size}. What it begins with is kept.</p>
      <CodeBlock id={`response-body-${number}`} label="First bytes, in hex" code={bodyPreview} copy />
    </>
  );
}
