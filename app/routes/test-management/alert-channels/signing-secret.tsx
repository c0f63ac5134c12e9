import type { ReactNode } from "react";
import type { AlertChannel } from "#contracts/test-analyzer/alert-channels.ts";
import { RunKey } from "~/features/runs/run-key";
import { href } from "~/href";
import { Button } from "~/ui/button/button";
import { Card } from "~/ui/card/card";
import { CodeBlock } from "~/ui/code-block/code-block";
import { Row, Stack } from "~/ui/layout/layout";
import { useFormatMoment } from "~/ui/moment/moment";
import { Notice } from "~/ui/notice/notice";
import { Select } from "~/ui/select/select";

/** A newly generated signing secret: the only time it is displayed. */
export function MadeSecret({ secret, children }: { secret: string; children?: ReactNode }) {
  return (
    <Card title="Signing secret">
      <Stack>
        <Notice role="alert" tone="warning" title="Copy it now: it is not shown again">
          Your server verifies with it that alerts are ours.{" "}
          <a href={href("/alert-webhooks")}>What is sent, and how to verify it</a>
        </Notice>
        <CodeBlock id="signing-secret" label="Signing secret" labelHidden code={secret} wrap copy />
        {children}
      </Stack>
    </Card>
  );
}

const overlaps = [
  { value: "0", label: "Not at all: it leaked" },
  { value: "1", label: "One hour" },
  { value: "24", label: "A day" },
  { value: "72", label: "Three days" },
  { value: "168", label: "A week" },
];

export interface SigningSecretProps {
  secrets: Extract<AlertChannel, { kind: "webhook" }>["secrets"];
  runKey: string;
  /** The form's target. */
  action: string;
}

/** Start of validity of a webhook's secrets, and how to rotate them. */
export function SigningSecret({ secrets: [newest, previous], runKey, action }: SigningSecretProps) {
  const formatMoment = useFormatMoment();
  return (
    <Card
      title="Signing secret"
      description={`The one in use is of ${formatMoment(newest!.createdAt)}.${
        previous?.validUntil ? ` The one before is valid until ${formatMoment(previous.validUntil)}.` : ""
      }`}
    >
      <form method="post" action={action}>
        <RunKey value={runKey} />
        <Stack>
          <Row justify="start">
            <Select
              label="How long the present one goes on beside a new one"
              hint={
                previous
                  ? "The one before it ends at once."
                  : "Until then each alert carries a signature by either, so that your server can change over meanwhile."
              }
              name="previousHours"
              defaultValue="24"
              width="medium"
              options={overlaps}
            />
          </Row>
          <Row>
            <Button name="intent" value="rotate" icon="key">
              Make a new secret
            </Button>
          </Row>
        </Stack>
      </form>
    </Card>
  );
}
