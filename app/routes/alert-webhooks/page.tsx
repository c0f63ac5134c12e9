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
  { name: "description", content: "What alert webhooks are sent, how to verify them, and when they are sent again." },
];

export async function loader({ context }: LoaderFunctionArgs) {
  const { backend } = await connectForVisitor(context);
  return required(await backend.testAnalyzer.describeWebhooks());
}

const headers = [
  { term: "content-type", value: "application/json" },
  {
    term: "webhook-id",
    value: "Identifies the alert, the same with every try. Keep the ids you have seen to handle each alert once.",
  },
  {
    term: "webhook-timestamp",
    value: "When this try was sent, in seconds since 1970. Refuse what is older than minutes.",
  },
  {
    term: "webhook-signature",
    value:
      "Signatures with a space between them, each as v1, and base64. While a secret is changed over there are two.",
  },
];

const meanings: Record<AlertKind, string> = {
  opened: "Something broke, as often or as long as the alert rule asks for.",
  reminder: "It is still broken, and the rule asks for reminders.",
  recovered: "It recovered, or somebody resolved it.",
  burning:
    "The error budget of a circle's service level burns fast: 14.4 times in the last hour or 6 times in six, of 30 days.",
  steady: "That budget no longer burns fast.",
  certificate: "The certificate of a tested host expires soon: sent 30, 14 and 3 days before.",
  test: "Somebody pressed “Send a test”.",
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
        description="What a webhook receives when an API breaks and when it recovers, and how to verify that it comes from here."
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
              Signed is the text <code>id.timestamp.body</code>: both headers and the body as it came, with dots between
              them. The signature is its HMAC-SHA256 by the channel's signing secret, whose part after{" "}
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
                <p>Before alerts come, try your server with a request that is signed the same way:</p>
              </Prose>
              <CodeBlock id="curl" label="curl and OpenSSL" code={curlSample(test.body)} copy />
            </>
          )}
          <Prose>
            <h2>Answer it</h2>
            <ul>
              <li>
                Any status from 200 to 299 within {webhookTimeoutSeconds} seconds says that it arrived. Do what takes
                longer afterwards. The answer's body is not read.
              </li>
              <li>{retryWords()}</li>
              <li>
                Redirects are not followed. The status 410 says that nobody is listening any more, and ends the tries.
              </li>
              <li>
                An alert may arrive twice, and two alerts may arrive out of order: look at the id and at the timestamp
                of the body.
              </li>
              <li>
                What did not arrive is listed on the channel's page for 90 days, and can be sent again there under the
                same id.
              </li>
            </ul>
            <h2>The body</h2>
            <p>
              Members may be added; none that is here will go or change its meaning. Secrets of tests never stand in it.
            </p>
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
              For programs, examples and schema also stand at{" "}
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
  return `After any other status, or none, it is sent again: after ${waits} seconds and so on, each time twice as long, ${attempts} times within ${hours} hours.`;
}
