import type { ReceivedResponse } from "#contracts/test-executioner/attempts.ts";
import { Card } from "~/ui/card/card";
import { CodeBlock } from "~/ui/code-block/code-block";
import { DefinitionList } from "~/ui/definition-list/definition-list";
import { Disclosure } from "~/ui/disclosure/disclosure";
import type { JsonHighlight } from "~/ui/json-view/fold-json";
import { Stack } from "~/ui/layout/layout";
import { Notice } from "~/ui/notice/notice";
import { formatMilliseconds } from "~/ui/plot/waterfall";
import { BodyView } from "./body-view";
import { HeaderList } from "./header-list";
import { formatBytes } from "./phase-rows";

export interface ResponseCardProps {
  response: ReceivedResponse;
  /** Unique in the page, such as the number of the attempt. */
  id: number | string;
  headingLevel?: 3 | 4;
  /** Address of the complete body as a file, where it has one. */
  file?: string;
  /** Ended an incomplete response, this long after its first byte. */
  failure?: { detail: string; afterMilliseconds: number };
  bodyMarks?: readonly JsonHighlight[];
  headerMarks?: ReadonlyMap<string, string>;
}

/** A response as received: the body first, with errors marked. */
export function ResponseCard(props: ResponseCardProps) {
  const { response, headingLevel = 3, failure, headerMarks } = props;
  const { status, statusText, httpVersion, bodyBytes, keptBytes, headers, tls, redirects } = response;
  const { truncated, incomplete, stopped } = response;
  return (
    <Card
      headingLevel={headingLevel}
      title={`Response: ${`${status} ${statusText}`.trim()}`}
      description={`${formatBytes(bodyBytes)}, HTTP/${httpVersion}`}
    >
      <Stack gap="medium">
        {incomplete && (
          <Notice tone="warning" title="This response is incomplete">
            {failure &&
              `${failure.detail} It failed ${formatMilliseconds(failure.afterMilliseconds)} into the response. `}
            The received part is below.
          </Notice>
        )}
        {stopped && (
          <p>
            {stopped === "items" ? "Stopped after enough items" : "Read for as long as the test asks"}; the connection
            was then closed.
          </p>
        )}
        {truncated && (
          <Notice tone="warning" title="The body can't be evaluated completely">
            It is larger than the {formatBytes(bodyBytes)} that may be read
            {keptBytes !== undefined && `; the first ${formatBytes(keptBytes)} are stored`}.
          </Notice>
        )}
        {keptBytes !== undefined && !truncated && (
          <p>
            The first {formatBytes(keptBytes)} of {formatBytes(bodyBytes)}{" "}
            {incomplete ? "are kept." : "are kept; all of it was judged."}
          </p>
        )}
        <ResponseBody {...props} />
        <HeaderList caption="Response headers" headers={headers} marks={headerMarks} />
        {redirects.length > 0 && (
          <Disclosure summary={`${redirects.length === 1 ? "1 redirect" : `${redirects.length} redirects`} followed`}>
            <ol>
              {redirects.map((redirect) => (
                <li key={redirect.url}>
                  {redirect.status} <code>{redirect.url}</code> to <code>{redirect.location}</code>
                </li>
              ))}
            </ol>
          </Disclosure>
        )}
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

function ResponseBody({ response, id: ofResponse, file, bodyMarks }: ResponseCardProps) {
  const { body, bodyBytes, bodyPreview, incomplete } = response;
  const id = `response-body-${ofResponse}`;
  if (bodyBytes === 0) return <p>{incomplete ? "The body could not be read." : "Without a body."}</p>;
  if (body !== null) return <BodyView id={id} label="Response body" text={body} file={file} marks={bodyMarks} />;
  const size = `${bodyBytes.toLocaleString("en")} bytes`;
  if (!bodyPreview) return <p>The body is binary, {size}. Only its size is stored.</p>;
  return (
    <>
      <p>The body is binary, {size}. Only the first part is stored.</p>
      <CodeBlock id={id} label="First bytes, in hex" code={bodyPreview} copy />
    </>
  );
}
