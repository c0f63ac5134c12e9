import { getFormProps, useForm } from "@conform-to/react";
import { fieldProps } from "~/forms/field-props";
import { FormErrorSummary } from "~/forms/form-error-summary";
import { href } from "~/href";
import { Button } from "~/ui/button/button";
import { Card } from "~/ui/card/card";
import { DefinitionList } from "~/ui/definition-list/definition-list";
import { Stack } from "~/ui/layout/layout";
import { Notice } from "~/ui/notice/notice";
import { TextField } from "~/ui/text-field/text-field";
import { sectionAddress } from "./sections";
import type { EmailResult } from "./system-action.server";

export interface MailCardProps {
  mail: { way: "server" | "mailbox" | "none"; server: string | null; sender: string | null };
  /** The viewer's address. */
  ownAddress: string;
  result: EmailResult | undefined;
}

/** The mail transport, and whether it is working. */
export function MailCard({ mail, ownAddress, result }: MailCardProps) {
  const [form, fields] = useForm<{ address: string }>({
    id: "letter",
    lastResult: result?.reply,
    defaultValue: { address: result?.email?.address ?? ownAddress },
  });
  const canSend = mail.way !== "none";
  return (
    <form method="post" action={sectionAddress("mail")} {...getFormProps(form)}>
      <Card
        title="Email"
        id="mail"
        footer={
          canSend && (
            <Button name="intent" value="sendTestLetter" icon="mail">
              Send a test email
            </Button>
          )
        }
      >
        <Stack>
          {mail.way === "none" && (
            <Notice tone="warning" title="This installation can't send email">
              Registration, invitations and password resets don't work until MAIL_URL and MAIL_FROM are set.
            </Notice>
          )}
          {mail.way === "mailbox" && (
            <p>
              Emails stay in this installation and can be read in its <a href={href("/sandbox/mail")}>own mailbox</a>.
              Set MAIL_URL to use a mail server instead.
            </p>
          )}
          {mail.way === "server" && (
            <DefinitionList
              items={[
                { term: "Mail server", value: `${mail.server} (MAIL_URL)` },
                { term: "Sender", value: `${mail.sender} (MAIL_FROM)` },
              ]}
            />
          )}
          {canSend && <FormErrorSummary form={form} />}
          {canSend && (
            <TextField
              {...fieldProps(fields.address)}
              label="Send a test email to"
              type="email"
              autoComplete="email"
              required
            />
          )}
          {result?.email && <Result {...result.email} way={mail.way} />}
        </Stack>
      </Card>
    </form>
  );
}

function Result({
  address,
  isTaken,
  words,
  way,
}: NonNullable<EmailResult["email"]> & Pick<MailCardProps["mail"], "way">) {
  if (!isTaken) {
    return (
      <Notice role="alert" tone="danger" title={`The mail server rejected the email to ${address}`}>
        It said: {words}
      </Notice>
    );
  }
  return (
    <Notice role="status" tone="success" title={`A test email to ${address} was sent`}>
      {way === "mailbox"
        ? "It is in this installation's mailbox."
        : "The mail server accepted it. Check that it arrives."}
    </Notice>
  );
}
