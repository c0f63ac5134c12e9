import type { Attempt } from "#contracts/test-executioner/attempts.ts";
import { verdictOfTry } from "~/features/credentials/credential-words";
import { Card } from "~/ui/card/card";
import { CodeBlock } from "~/ui/code-block/code-block";
import { Stack } from "~/ui/layout/layout";
import { Notice } from "~/ui/notice/notice";

/** Result of a trial request: the status, and the request as sent, without its secrets. */
export function TriedCredential({ attempt }: { attempt: Omit<Attempt, "verdict"> }) {
  const { request, response, cause } = attempt;
  const { tone, title, words } = verdictOfTry(attempt);
  return (
    <Card title="Outcome">
      <Stack>
        <Notice role="status" tone={tone} title={title}>
          {cause?.detail ?? words}
        </Notice>
        {request && <CodeBlock label="Sent" wrap code={writeMessage(`${request.method} ${request.url}`, request)} />}
        {response && (
          <CodeBlock
            label="Received"
            wrap
            code={writeMessage(`${response.status} ${response.statusText}`.trim(), response)}
          />
        )}
      </Stack>
    </Card>
  );
}

function writeMessage(first: string, { headers }: { headers: [string, string][] }): string {
  return [first, ...headers.map(([name, value]) => `${name}: ${value}`)].join("\n");
}
