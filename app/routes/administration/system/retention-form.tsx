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
  values: Pick<InstallationSettings, (typeof names)[number]>;
  /** Settings that differ from the product's defaults. */
  set: readonly SettingName[];
  result: SettingsResult | undefined;
}

const names = ["leastVerdictsDays", "passedBodiesEvery"] as const;
type Name = (typeof names)[number];

const hints: Record<Name, string> = {
  leastVerdictsDays:
    "From 1 to 3,650, regardless of plan. Older data is deleted within six hours and can't be restored.",
  passedBodiesEvery:
    "From 1, which stores every response, to 1,000. Of tests that pass with the same response as before, only times and other differences are stored in between. Failures and changed responses are always stored.",
};

/** How long executions are stored where no plan says so, and how much of them. */
export function RetentionForm({ values, set, result }: RetentionFormProps) {
  const [form, fields] = useForm<Record<Name, string>>({
    id: "retention-settings",
    lastResult: result?.reply,
    defaultValue: Object.fromEntries(names.map((name) => [name, set.includes(name) ? String(values[name]) : ""])),
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
      {names.map((name) => (
        <TextField
          key={name}
          {...fieldProps(fields[name])}
          label={settingWords[name].name}
          inputMode="numeric"
          width="short"
          after={settingWords[name].unit}
          placeholder={String(defaultSettings[name])}
          hint={`${hints[name]} ${set.includes(name) ? "Set here" : "Not set"}; the default is ${defaultSettings[name]}.`}
        />
      ))}
    </SettingsForm>
  );
}
