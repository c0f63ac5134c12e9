import type { SentRequest } from "#contracts/test-executioner/attempts.ts";
import { curlOfSent } from "~/features/code-samples/curl-of-sent";
import { CodeBlock } from "~/ui/code-block/code-block";
import { Disclosure } from "~/ui/disclosure/disclosure";
import { Stack } from "~/ui/layout/layout";
import { BodyView } from "./body-view";
import { HeaderList } from "./header-list";
import { formatBytes } from "./phase-rows";

interface RequestPartProps {
  request: SentRequest;
  /** Unique in the page, such as the number of the attempt. */
  id: string | number;
  curlId: string;
  /** Address of the complete body as a file, where it has one. */
  file?: string;
}

/** A request as sent, folded. */
export function RequestPart({ request, id, curlId, file }: RequestPartProps) {
  const { method, headers, body, bodyBytes } = request;
  return (
    <Disclosure
      look="framed"
      summary={`Request: ${method}, ${body === null ? "without a body" : `body of ${formatBytes(bodyBytes)}`}`}
    >
      <Stack gap="medium">
        <HeaderList caption="Request headers" headers={headers} />
        <CodeBlock id={curlId} label="As cURL" wrap copy code={curlOfSent(request)} />
        {body !== null && <BodyView id={`request-body-${id}`} label="Request body" text={body} file={file} />}
      </Stack>
    </Disclosure>
  );
}
