import { getFormProps, type SubmissionResult, useForm } from "@conform-to/react";
import { fieldProps } from "~/forms/field-props";
import { FormErrorSummary } from "~/forms/form-error-summary";
import { href } from "~/href";
import { Button, LinkButton } from "~/ui/button/button";
import { Card } from "~/ui/card/card";
import { CodeBlock } from "~/ui/code-block/code-block";
import { Row, Stack } from "~/ui/layout/layout";
import { TextField } from "~/ui/text-field/text-field";
import type { SetUp } from "./set-up.server";
import * as styles from "./set-up-card.css";

/** Shows the secret for the app, and asks for a first code. */
export function SetUpCard({ setUp, reply }: { setUp: SetUp; reply: SubmissionResult | undefined }) {
  const [form, fields] = useForm<{ code: string }>({ id: "confirm", lastResult: reply });
  return (
    <form method="post" {...getFormProps(form)}>
      <input type="hidden" name="setUp" value={setUp.uri} />
      <Card
        title="Add it to your app"
        description="Scan the picture with the app, or type the key in."
        footer={
          <Row>
            <Button name="intent" value="confirm" variant="primary">
              Switch on
            </Button>
            <LinkButton href={href("/profile/second-factor")}>Cancel</LinkButton>
          </Row>
        }
      >
        <Stack>
          <FormErrorSummary form={form} />
          <img
            src={`data:image/svg+xml,${encodeURIComponent(setUp.svg)}`}
            alt="QR code with the key below"
            width="224"
            height="224"
            className={styles.picture}
          />
          <CodeBlock id="key" label="Key" code={setUp.secret.match(/.{1,4}/g)?.join(" ") ?? ""} wrap />
          <TextField
            {...fieldProps(fields.code)}
            label="Code"
            hint="The current 6-digit code from the app."
            autoComplete="one-time-code"
            inputMode="numeric"
            width="short"
            defaultValue={undefined}
          />
        </Stack>
      </Card>
    </form>
  );
}
