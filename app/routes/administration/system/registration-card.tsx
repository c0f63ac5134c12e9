import { href } from "~/href";
import { Button } from "~/ui/button/button";
import { Card } from "~/ui/card/card";
import { Checkbox } from "~/ui/checkbox/checkbox";
import { settingWords } from "./setting-words";

/** Whether registration is open or by invitation only. */
export function RegistrationCard({ isOn }: { isOn: boolean }) {
  return (
    <form method="post" action={`${href("/administration/system-configuration")}#registration`}>
      <Card
        title="Registration"
        id="registration"
        description="Whether visitors may register for themselves."
        footer={
          <Button name="intent" value="saveRegistration" variant="primary">
            Save registration
          </Button>
        }
      >
        <Checkbox
          name="registrationByInvitation"
          label={settingWords.registrationByInvitation.name}
          hint="Visitors who want to register are asked to contact an administrator of their organization. Links to complete a registration stop working; invitations still work."
          defaultChecked={isOn}
        />
      </Card>
    </form>
  );
}
