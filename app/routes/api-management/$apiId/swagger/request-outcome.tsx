import type { Attempt } from "#contracts/test-executioner/attempts.ts";
import { Badge } from "~/ui/badge/badge";
import { CodeBlock } from "~/ui/code-block/code-block";
import { DefinitionList } from "~/ui/definition-list/definition-list";
import { Disclosure } from "~/ui/disclosure/disclosure";
import { ErrorSummary } from "~/ui/error-summary/error-summary";
import { JsonView } from "~/ui/json-view/json-view";
import { Row, Stack } from "~/ui/layout/layout";
import { Notice } from "~/ui/notice/notice";
import { formatMilliseconds } from "~/ui/plot/waterfall";
import type { Tone } from "~/ui/tone";
import { formatBytes } from "../../figures";
import type { RequestError } from "./request-body";

export interface Outcome {
  errors: readonly RequestError[];
  attempt?: Omit<Attempt, "verdict">;
  refusal?: string;
}

/** The response, or why there was none. */
export function RequestOutcome({ outcome: { errors: faults, attempt, refusal } }: { outcome: Outcome }) {
  if (faults.length > 0) {
    const errors = faults.map(({ field, message }) => ({ fieldId: `send-${field}`, message }));
    return <ErrorSummary id="send-errors" title="Nothing was sent" errors={errors} />;
  }
  if (!attempt) {
    return (
      <Notice tone="danger" title="Nothing was sent" role="alert" tabIndex={-1} autoFocus>
        {refusal}
      </Notice>
    );
  }
  return <AttemptView attempt={attempt} />;
}

function getTone(status: number): Tone {
  if (status < 300) return "success";
  return status < 400 ? "info" : "danger";
}

/** Longer bodies fold in a view of their own in the results of a test; here a reader wants the beginning. */
const maximumShownBody = 100_000;

function AttemptView({ attempt }: { attempt: Omit<Attempt, "verdict"> }) {
  const { request, response, cause, durationMilliseconds } = attempt;
  const contentType = response?.headers.find(([name]) => name.toLowerCase() === "content-type")?.[1] ?? "";
  return (
    <Stack tabIndex={-1} autoFocus>
      {cause && (
        <Notice tone="warning" title="No complete response" role="status">
          {cause.detail}
        </Notice>
      )}
      {response && (
        <>
          <Row gap="medium">
            <Badge tone={getTone(response.status)}>
              {response.status} {response.statusText}
            </Badge>
            <span>{formatMilliseconds(durationMilliseconds)}</span>
            <span>{formatBytes(response.bodyBytes)}</span>
            {response.truncated && <Badge tone="warning">Truncated</Badge>}
            {response.redirects.length > 0 && <span>{response.redirects.length} redirects</span>}
          </Row>
          {response.body === null ? (
            <p>
              {response.bodyBytes === 0 ? "The body is empty." : `The body is not text (${contentType || "no type"}).`}
            </p>
          ) : response.body === "" ? (
            <p>The body is empty.</p>
          ) : /[/+]json\b/i.test(contentType) && response.body.length <= maximumShownBody ? (
            <JsonView id="response-body" label="Response body" text={response.body} />
          ) : (
            <CodeBlock
              id="response-body"
              label="Response body"
              code={response.body.slice(0, maximumShownBody)}
              wrap
              copy
            />
          )}
          <Disclosure summary={`Response headers (${response.headers.length})`}>
            <HeaderList headers={response.headers} />
          </Disclosure>
        </>
      )}
      {request && (
        <Disclosure summary="Request as sent">
          <Stack gap="small">
            <p>
              <code>
                {request.method} {request.url}
              </code>
            </p>
            <HeaderList headers={request.headers} />
            {request.body !== null && request.body !== "" && (
              <CodeBlock label="Request body" code={request.body.slice(0, maximumShownBody)} wrap />
            )}
          </Stack>
        </Disclosure>
      )}
    </Stack>
  );
}

function HeaderList({ headers }: { headers: readonly [string, string][] }) {
  const byName = new Map<string, string[]>();
  for (const [name, value] of headers) byName.set(name, [...(byName.get(name) ?? []), value]);
  return (
    <DefinitionList
      items={[...byName].map(([name, values]) => ({ term: name, value: <code>{values.join("\n")}</code> }))}
    />
  );
}
