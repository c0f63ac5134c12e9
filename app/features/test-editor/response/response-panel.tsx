import type { ReceivedResponse } from "#contracts/test-executioner/attempts.ts";
import { Badge } from "~/ui/badge/badge";
import { Card } from "~/ui/card/card";
import { CodeBlock } from "~/ui/code-block/code-block";
import { Disclosure } from "~/ui/disclosure/disclosure";
import { Row, Stack } from "~/ui/layout/layout";
import { Notice } from "~/ui/notice/notice";
import { formatMilliseconds } from "~/ui/plot/waterfall";
import type { Tone } from "~/ui/tone";
import type { Trial } from "../editor-props.ts";
import type { EditorForm } from "../sections/editor-form.ts";
import { assertionOf } from "../suggested-assertion.ts";
import { AssertButton } from "./assert-button.tsx";
import { JudgementList } from "./judgement-list.tsx";
import { ResponseBody } from "./response-body.tsx";
import { ResponseHeaders } from "./response-headers.tsx";
import * as styles from "./response-panel.css";

export interface ResponsePanelProps {
  form: EditorForm;
  trial: Trial | undefined;
  /** Sending loaded this page, so it scrolls to the response. */
  takesFocus?: boolean;
}

/** The response of a request sent from the editor; pressing a value creates an assertion. */
export function ResponsePanel({ form, trial, takesFocus }: ResponsePanelProps) {
  return (
    <Card title="Response" id="response" tabIndex={-1} autoFocus={takesFocus || undefined} className={styles.panel}>
      {trial ? (
        <Answer form={form} trial={trial} />
      ) : (
        <p className={styles.soft}>
          Send the request to see its response here, without saving. Then choose a value to create an assertion from it.
        </p>
      )}
    </Card>
  );
}

function Answer({ form, trial: { attempt, judgement, notJudged, markup } }: { form: EditorForm; trial: Trial }) {
  const { request, response, cause, durationMilliseconds } = attempt;
  const milliseconds = Math.round(attempt.phases?.total ?? durationMilliseconds);
  return (
    <Stack gap="large">
      {cause && (
        <Notice tone="danger" title={response ? "The response is incomplete" : "No response could be evaluated"}>
          {cause.detail}
        </Notice>
      )}
      {response && (
        <Row gap="small">
          <Badge tone={toneOf(response)}>
            {response.status} {response.statusText}
          </Badge>
          <span className={styles.soft}>
            {formatMilliseconds(milliseconds)}, {response.bodyBytes.toLocaleString("en")} bytes
          </span>
          <AssertButton form={form} assertion={assertionOf("statusCode", "equals", response.status)} />
        </Row>
      )}
      {judgement && <JudgementList judgement={judgement} />}
      {notJudged && (
        <Notice tone="warning" title={notJudged}>
          Assertions and checks were not evaluated. Send it again in a moment.
        </Notice>
      )}
      {response && <ResponseBody form={form} response={response} markup={markup} />}
      {response && <ResponseHeaders form={form} headers={response.headers} />}
      {request && (
        <Disclosure summary="Request as sent">
          <CodeBlock
            label="Request as sent"
            labelHidden
            wrap
            code={[
              `${request.method} ${request.url}`,
              ...request.headers.map(([name, value]) => `${name}: ${value}`),
              ...(request.body ? ["", request.body] : []),
            ].join("\n")}
          />
        </Disclosure>
      )}
    </Stack>
  );
}

function toneOf({ status }: ReceivedResponse): Tone {
  if (status >= 500) return "danger";
  if (status >= 400) return "warning";
  return status >= 300 ? "info" : "success";
}
