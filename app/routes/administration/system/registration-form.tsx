import { useForm } from "@conform-to/react";
import { checkboxProps } from "~/forms/field-props";
import { Checkbox } from "~/ui/checkbox/checkbox";
import { settingWords } from "../setting-words";
import type { SettingsResult } from "./settings-action.server";
import { SettingsForm } from "./settings-form";

/** Whether registration is open or by invitation only. */
export function RegistrationForm({ isOn, result }: { isOn: boolean; result: SettingsResult | undefined }) {
  const [form, fields] = useForm<{ registrationByInvitation: string }>({
    id: "registration-settings",
    lastResult: result?.reply,
    defaultValue: { registrationByInvitation: isOn ? "on" : undefined },
  });
  return (
    <SettingsForm
      {...{ form }}
      section="registration"
      title="Registration"
      description="Whether visitors may register for themselves."
      intent="saveRegistration"
      saveLabel="Save registration"
    >
      <Checkbox
        {...checkboxProps(fields.registrationByInvitation)}
        label={settingWords.registrationByInvitation.name}
        hint="Visitors who want to register are asked to contact an administrator of their organization. Links to complete a registration stop working; invitations still work."
      />
    </SettingsForm>
  );
}
