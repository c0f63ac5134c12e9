import type { FindingStep } from "#contracts/test-executioner/explorations.ts";
import { RequestPart } from "~/features/exchange/request-part";
import { ResponseCard } from "~/features/exchange/response-card";
import { OperationName } from "~/features/operation/operation-name";
import { Disclosure } from "~/ui/disclosure/disclosure";
import { Stack } from "~/ui/layout/layout";

const phaseWords: Record<FindingStep["phase"], string> = {
  setUp: "Set-up: ",
  main: "",
  tearDown: "Tear-down: ",
};

export interface FindingStepViewProps {
  step: FindingStep;
  /** Unique in the page. */
  id: string;
}

/** One request of a finding, with its response. */
export function FindingStepView({ step: { test, phase, request, response }, id }: FindingStepViewProps) {
  const outcome = response ? `, status ${response.status}` : request ? ", without a response" : ", not sent";
  return (
    <Disclosure
      look="framed"
      summary={
        <>
          {phaseWords[phase]}
          <OperationName method={test.method} path={test.path} />
          {outcome}
        </>
      }
    >
      <Stack gap="medium">
        <p>
          {test.name}
          {request && (
            <>
              : <code>{request.url}</code>
            </>
          )}
        </p>
        {request && <RequestPart request={request} id={id} curlId={`curl-${id}`} />}
        {response && <ResponseCard response={response} id={id} headingLevel={4} />}
      </Stack>
    </Disclosure>
  );
}
