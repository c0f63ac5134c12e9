import type { BrowserOptions } from "#contracts/security-service/passkeys.ts";
import { href } from "~/href";
import { PasskeyForm } from "~/islands/passkey/passkey-form";
import { Card } from "~/ui/card/card";
import { Stack } from "~/ui/layout/layout";

/** The step in which the device creates the passkey. */
export function CreateCard({ options, name }: { options: BrowserOptions; name: string }) {
  return (
    <Card title={`Create ${name}`} description="You have five minutes.">
      <Stack>
        <PasskeyForm
          action={href("/profile/passkeys")}
          options={options}
          fields={{ intent: "add", name }}
          button="Create the passkey"
          withoutScript="Passkeys need JavaScript. Without it, set up an authenticator app under Second factor."
        />
        <p>
          <a href={href("/profile/passkeys")}>Cancel</a>
        </p>
      </Stack>
    </Card>
  );
}
