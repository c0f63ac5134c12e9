import type { BrowserOptions } from "#contracts/security-service/passkeys.ts";
import { islandAttributes } from "~/islands/island-attributes";
import { Button } from "~/ui/button/button";
import { Row, Stack } from "~/ui/layout/layout";

export interface PasskeyFormProps {
  action: string;
  /** Options for the browser's request to the device. */
  options: BrowserOptions;
  /** Sent with the device's response. */
  fields: Record<string, string>;
  button: string;
  fullWidth?: boolean;
  /** The alternative without script, which passkeys need. */
  withoutScript: string;
}

/** Asks the device for a passkey. The button appears once the script has loaded. */
export function PasskeyForm({ action, options, fields, button, fullWidth, withoutScript }: PasskeyFormProps) {
  return (
    <form method="post" action={action} {...islandAttributes("passkey")} data-options={JSON.stringify(options)}>
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <input type="hidden" name="credential" />
      <Stack gap="small">
        <Row>
          <Button variant="primary" size={fullWidth ? "large" : undefined} fullWidth={fullWidth} hidden>
            {button}
          </Button>
        </Row>
        <p role="status" />
        <noscript>
          <p>{withoutScript}</p>
        </noscript>
      </Stack>
    </form>
  );
}
