import { useForm } from "@conform-to/react";
import { defaultSettings } from "#contracts/kit/setting-defaults.ts";
import type { InstallationSettings, SettingName } from "#contracts/kit/settings.ts";
import { fieldProps } from "~/forms/field-props";
import { TextField } from "~/ui/text-field/text-field";
import { settingWords } from "../setting-words";
import type { SettingsResult } from "./settings-action.server";
import { SettingsForm } from "./settings-form";

export interface LimitFormProps {
  values: Pick<InstallationSettings, LimitName>;
  /** Settings that differ from the product's defaults. */
  set: readonly SettingName[];
  result: SettingsResult | undefined;
}

const limits = {
  testTimeoutSeconds: "From 1 to 120. Tests can use a lower value.",
  concurrencyPerOrganization: "From 1 to 48, in each process that runs tests.",
  judgedMebibytes: "From 1 to 100. Larger bodies can't be evaluated completely.",
  answerKibibytes: "From 1 to 1,024. Larger bodies are truncated.",
} as const;
type LimitName = keyof typeof limits;
const names = Object.keys(limits) as LimitName[];

/** Limits of a test's use of the installation. */
export function LimitForm({ values, set, result }: LimitFormProps) {
  const [form, fields] = useForm<Record<LimitName, string>>({
    id: "test-limits",
    lastResult: result?.reply,
    defaultValue: Object.fromEntries(names.map((name) => [name, set.includes(name) ? String(values[name]) : ""])),
  });
  return (
    <SettingsForm
      {...{ form }}
      section="limits"
      title="Test limits"
      description="Applied to all organizations within 2 seconds. Empty fields use the default."
      intent="saveLimits"
      saveLabel="Save limits"
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
          hint={`${limits[name]} ${set.includes(name) ? "Set here" : "Not set"}; the default is ${defaultSettings[name].toLocaleString("en")}.`}
        />
      ))}
    </SettingsForm>
  );
}
