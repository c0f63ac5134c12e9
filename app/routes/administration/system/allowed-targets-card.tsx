import { getFormProps, useForm } from "@conform-to/react";
import { fieldProps } from "~/forms/field-props";
import { FormErrorSummary } from "~/forms/form-error-summary";
import { href } from "~/href";
import { Button } from "~/ui/button/button";
import { Card } from "~/ui/card/card";
import { Stack } from "~/ui/layout/layout";
import { TextArea } from "~/ui/text-area/text-area";
import type { SettingsResult } from "./settings-action.server";

export interface AllowedTargetsCardProps {
  targets: readonly string[];
  /** EGRESS_ALLOW. */
  environment: string | null;
  result: SettingsResult | undefined;
}

/** Private targets that are allowed in addition to those of the environment. */
export function AllowedTargetsCard({ targets, environment, result }: AllowedTargetsCardProps) {
  const [form, fields] = useForm<{ egressAllow: string }>({
    id: "targets",
    lastResult: result?.reply,
    defaultValue: { egressAllow: targets.join("\n") },
  });
  return (
    <form
      method="post"
      action={`${href("/administration/system-configuration")}#allowed-targets`}
      {...getFormProps(form)}
    >
      <Card
        title="Allowed private targets"
        id="allowed-targets"
        description="Public addresses are always allowed; cloud metadata services never are."
        footer={
          <Button name="intent" value="saveTargets" variant="primary">
            Save targets
          </Button>
        }
      >
        <Stack>
          <FormErrorSummary form={form} />
          <p>
            {environment
              ? `EGRESS_ALLOW allows ${environment}, regardless of this setting.`
              : "EGRESS_ALLOW is not set."}
          </p>
          <TextArea
            {...fieldProps(fields.egressAllow)}
            label="Targets"
            rows={4}
            code
            autoCapitalize="none"
            spellCheck={false}
            hint="One per line: api.internal:443, 10.0.0.1:8080, 10.2.0.0/16:8080, or loopback for this machine's own addresses. Every organization's tests may then reach them."
          />
        </Stack>
      </Card>
    </form>
  );
}
