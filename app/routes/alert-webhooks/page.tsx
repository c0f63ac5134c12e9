import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import type { AlertKind } from "#contracts/test-analyzer/alert-deliveries.ts";
import { type AlertWebhook, alertTries, webhookTimeoutSeconds } from "#contracts/test-analyzer/alert-webhooks.ts";
import { required } from "~/backend/responses";
import { connectForVisitor } from "~/session/visitor";
import { Page } from "~/shell/page/page";
import { CodeBlock } from "~/ui/code-block/code-block";
import { DefinitionList } from "~/ui/definition-list/definition-list";
import { Disclosure } from "~/ui/disclosure/disclosure";
import { JsonView } from "~/ui/json-view/json-view";
import { Column, Stack } from "~/ui/layout/layout";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { Prose } from "~/ui/prose/prose";
import { curlSample, nodeSample, pythonSample } from "./samples";

export const meta: MetaFunction = () => [
  { title: "Alert webhooks · API Assurance" },
  { name: "description", content: "Which alert webhooks are sent, how to verify them, and when they are retried." },
];

export async function loader({ context }: LoaderFunctionArgs) {
  const { backend } = await connectForVisitor(context);
  return required(await backend.testAnalyzer.describeWebhooks());
}

const headers = [
  { term: "content-type", value: "application/json" },
  {
    term: "webhook-id",
    value: "Identifies the alert; the same for every attempt. Store the ids you have seen to handle each alert once.",
  },
  {
    term: "webhook-timestamp",
    value: "When this attempt was sent, in seconds since 1970. Reject requests older than 5 minutes.",
  },
  {
    term: "webhook-signature",
    value: "Space-separated signatures, each v1 and base64. There are two while a secret is being replaced.",
  },
];

const meanings: Record<AlertKind, string> = {
  opened: "Failures reached the threshold of the alert rule.",
  reminder: "It is still failing, and the rule sends reminders.",
  recovered: "It recovered or was resolved.",
  burning:
    "The error budget of a circle's service level burns quickly: 14.4 times in the last hour or 6 times in six, of 30 days.",
  steady: "The budget no longer burns quickly.",
  certificate: "The certificate of a tested host expires soon: sent 30, 14 and 3 days before.",
  test: "Test alert.",
};

/** The same, as JSON. */
const sameAsJson = "/api/test-analyzer/api/v1/alert-webhooks";

export default function AlertWebhooks() {
  const { examples, schema } = useLoaderData<typeof loader>();
  const test = examples.find(({ kind }) => kind === "test");
  return (
    <Page>
      <PageHeading
        title="Alert webhooks"
        description="What a webhook receives when an API fails and recovers, and how to verify that it came from us."
      />
      <Column width="prose">
        <Stack gap="huge">
          <Prose>
            <h2>The request</h2>
            <p>
              Each alert is one <code>POST</code> of JSON to the address of the channel. The signature follows{" "}
              <a href="https://www.standardwebhooks.com">Standard Webhooks</a> 1.0, so that its published libraries
              verify it, too.
            </p>
          </Prose>
          <DefinitionList aria-label="Headers of the request" items={headers} />
          <Prose>
            <h2>Verify it</h2>
            <p>
              The signed content is <code>id.timestamp.body</code>: both headers and the body as received, joined by
              dots. The signature is its HMAC-SHA256 by the channel's signing secret, whose part after{" "}
              <code>whsec_</code> is the key in base64.
            </p>
          </Prose>
          <Stack>
            <CodeBlock id="node" label="Node" code={nodeSample} copy />
            <CodeBlock id="python" label="Python" code={pythonSample} copy />
          </Stack>
          {test && (
            <>
              <Prose>
                <p>Before the first alert, try your server with a request signed the same way:</p>
              </Prose>
              <CodeBlock id="curl" label="curl and OpenSSL" code={curlSample(test.body)} copy />
            </>
          )}
          <Prose>
            <h2>Map it</h2>
            <ul>
              <li>
                Any status from 200 to 299 within {webhookTimeoutSeconds} seconds confirms delivery. Do longer work
                afterwards. The response body is not read.
              </li>
              <li>{retryWords()}</li>
              <li>Redirects are not followed. Status 410 stops further attempts.</li>
              <li>Alerts can arrive twice or out of order: check the id and the timestamp in the body.</li>
              <li>
                Failed deliveries are listed on the channel's page for 90 days and can be resent there with the same id.
              </li>
            </ul>
            <h2>The body</h2>
            <p>Fields may be added but never removed or repurposed. Test secrets are never included.</p>
          </Prose>
          <Stack>
            {examples.map(({ kind, body }) => {
              const { type } = JSON.parse(body) as AlertWebhook;
              return (
                <Stack key={kind} gap="small">
                  <h3>
                    <code>{type}</code>
                  </h3>
                  <p>{meanings[kind]}</p>
                  <JsonView id={kind} label={`Body of ${type}`} text={body} openLevels={8} />
                </Stack>
              );
            })}
            <Disclosure summary="JSON Schema of all bodies" look="framed">
              <JsonView id="schema" label="JSON Schema of the body" value={schema} openLevels={4} />
            </Disclosure>
            <p>
              For programs, examples and the schema are also available at{" "}
              <a href={sameAsJson}>
                <code>/api/test-analyzer/api/v1/alert-webhooks</code>
              </a>
              .
            </p>
          </Stack>
        </Stack>
      </Column>
    </Page>
  );
}

/** Which responses, including none, cause a retry. */
function retryWords(): string {
  const { attempts, retryDelaySeconds } = alertTries;
  const waits = [1, 2, 4].map((times) => `${retryDelaySeconds * times}`).join(", ");
  const hours = Math.round((retryDelaySeconds * (2 ** (attempts - 1) - 1)) / 3_600);
  return `After any other status, or no response, it is retried: after ${waits} seconds and so on, each time twice as long, ${attempts} times within ${hours} hours.`;
}
