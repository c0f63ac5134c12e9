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
        <Notice role="alert" tone="warning" title="Copy it now. It won't be shown again.">
          Your server uses it to verify that alerts come from us.{" "}
          <a href={href("/alert-webhooks")}>Payload and verification</a>
        </Notice>
        <CodeBlock id="signing-secret" label="Signing secret" labelHidden code={secret} wrap copy />
        {children}
      </Stack>
    </Card>
  );
}

const overlaps = [
  { value: "0", label: "Exposed" },
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
      description={`Created ${formatMoment(newest!.createdAt)}.${
        previous?.validUntil ? ` The previous one is valid until ${formatMoment(previous.validUntil)}.` : ""
      }`}
    >
      <form method="post" action={action}>
        <RunKey value={runKey} />
        <Stack>
          <Row justify="start">
            <Select
              label="Keep the old secret valid for"
              hint={
                previous
                  ? "The previous one expires immediately."
                  : "During this time alerts are signed with both secrets."
              }
              name="previousHours"
              defaultValue="24"
              width="medium"
              options={overlaps}
            />
          </Row>
          <Row>
            <Button name="intent" value="rotate" icon="key">
              Create a new secret
            </Button>
          </Row>
        </Stack>
      </form>
    </Card>
  );
}
