import { useForm } from "@conform-to/react";
import { defaultSettings } from "#contracts/kit/setting-defaults.ts";
import type { InstallationSettings, SettingName } from "#contracts/kit/settings.ts";
import { fieldProps } from "~/forms/field-props";
import { href } from "~/href";
import { TextField } from "~/ui/text-field/text-field";
import { settingWords } from "../setting-words";
import type { SettingsResult } from "./settings-action.server";
import { SettingsForm } from "./settings-form";

export interface RetentionFormProps {
  values: Pick<InstallationSettings, "leastVerdictsDays">;
  /** Settings that differ from the product's defaults. */
  set: readonly SettingName[];
  result: SettingsResult | undefined;
}

const name = "leastVerdictsDays";

/** How long executions are stored where no plan says so. */
export function RetentionForm({ values, set, result }: RetentionFormProps) {
  const isSet = set.includes(name);
  const [form, fields] = useForm<Record<typeof name, string>>({
    id: "retention-settings",
    lastResult: result?.reply,
    defaultValue: { [name]: isSet ? String(values[name]) : "" },
  });
  return (
    <SettingsForm
      {...{ form }}
      section="retention"
      title="Retention"
      description={
        <>
          Requests and responses are stored as long as <a href={href("/administration/system/plans")}>the plan</a> says;
          runs and verdicts four times as long.
        </>
      }
      intent="saveRetention"
      saveLabel="Save retention"
    >
      <TextField
        {...fieldProps(fields[name])}
        label={settingWords[name].name}
        inputMode="numeric"
        width="short"
        after={settingWords[name].unit}
        placeholder={String(defaultSettings[name])}
        hint={`From 1 to 3,650, regardless of plan. Older data is deleted within six hours and can't be restored. ${isSet ? "Set here" : "Not set"}; the default is ${defaultSettings[name]}.`}
      />
    </SettingsForm>
  );
}
