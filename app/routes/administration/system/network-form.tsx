import { useForm } from "@conform-to/react";
import type { InstallationSettings } from "#contracts/kit/settings.ts";
import { checkboxProps, fieldProps } from "~/forms/field-props";
import { Checkbox } from "~/ui/checkbox/checkbox";
import { TextArea } from "~/ui/text-area/text-area";
import { settingWords } from "../setting-words";
import type { SettingsResult } from "./settings-action.server";
import { SettingsForm } from "./settings-form";

export interface NetworkFormProps {
  values: Pick<InstallationSettings, "egressAllow" | "verifiedDomainsOnly">;
  /** EGRESS_ALLOW. */
  environment: string | null;
  result: SettingsResult | undefined;
}

/** Which hosts tests, imports and webhooks may reach. */
export function NetworkForm({ values, environment, result }: NetworkFormProps) {
  const [form, fields] = useForm<{ egressAllow: string; verifiedDomainsOnly: string }>({
    id: "network",
    lastResult: result?.reply,
    defaultValue: {
      egressAllow: values.egressAllow.join("\n"),
      verifiedDomainsOnly: values.verifiedDomainsOnly ? "on" : undefined,
    },
  });
  return (
    <SettingsForm
      {...{ form }}
      section="network"
      title="Network"
      description="Public addresses are always allowed; cloud metadata services never are."
      intent="saveNetwork"
      saveLabel="Save network rules"
    >
      <TextArea
        {...fieldProps(fields.egressAllow)}
        label={settingWords.egressAllow.name}
        rows={4}
        code
        autoCapitalize="none"
        spellCheck={false}
        hint={
          <>
            One per line: api.internal:443, 10.0.0.1:8080, 10.2.0.0/16:8080, or loopback for this machine's own
            addresses. Every organization's tests may then reach them.{" "}
            {environment
              ? `EGRESS_ALLOW allows ${environment}, regardless of this setting.`
              : "EGRESS_ALLOW is not set."}
          </>
        }
      />
      <Checkbox
        {...checkboxProps(fields.verifiedDomainsOnly)}
        label={settingWords.verifiedDomainsOnly.name}
        hint="Requests and redirects to other hosts are blocked. Each organization verifies its domains under Administration, Domains."
      />
    </SettingsForm>
  );
}
