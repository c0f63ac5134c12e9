import { getFormProps, useForm } from "@conform-to/react";
import { fieldProps } from "~/forms/field-props";
import { FormErrorSummary } from "~/forms/form-error-summary";
import { Button } from "~/ui/button/button";
import { Card } from "~/ui/card/card";
import { Stack } from "~/ui/layout/layout";
import { Notice } from "~/ui/notice/notice";
import { TextField } from "~/ui/text-field/text-field";
import { sectionAddress } from "./sections";
import type { TargetResult } from "./system-action.server";
import { reasonWords } from "./system-words";

/** Whether the egress rules allow a test's request to this URL, and why. */
export function TargetCard({ result }: { result: TargetResult | undefined }) {
  const [form, fields] = useForm<{ url: string }>({ id: "target", lastResult: result?.reply });
  return (
    <form method="post" action={sectionAddress("network")} {...getFormProps(form)}>
      <Card
        title="Try a URL"
        description="Tests, imports and webhooks can reach public addresses and allowed private addresses."
        footer={
          <Button name="intent" value="checkTarget">
            Check
          </Button>
        }
      >
        <Stack>
          <FormErrorSummary form={form} />
          <TextField
            {...fieldProps(fields.url)}
            label="Would this URL be allowed?"
            code
            required
            autoCapitalize="none"
            spellCheck={false}
            hint="Only a DNS lookup; nothing is sent."
          />
          {result?.check && <Verdict {...result.check} />}
        </Stack>
      </Card>
    </form>
  );
}

function Verdict({ isAllowed, reason, detail, host, port, addresses }: NonNullable<TargetResult["check"]>) {
  const others = addresses.filter(({ address }) => address !== host);
  return (
    <Notice
      role="status"
      tone={isAllowed ? "success" : "warning"}
      title={host ? `${host}, port ${port}: ${isAllowed ? "allowed" : "refused"}` : "Refused"}
    >
      <p>{detail ?? reasonWords[reason]}</p>
      {others.length > 0 && (
        <ul>
          {others.map((one) => (
            <li key={one.address}>
              {one.address}: {one.isAllowed ? "allowed" : `refused. ${reasonWords[one.reason]}`}
            </li>
          ))}
        </ul>
      )}
    </Notice>
  );
}
