import { href } from "~/href";
import { Button } from "~/ui/button/button";
import { Card } from "~/ui/card/card";
import { Checkbox } from "~/ui/checkbox/checkbox";
import { settingWords } from "./setting-words";

/** Whether tests may be sent to hosts without a verified domain. */
export function VerifiedDomainsCard({ isOn }: { isOn: boolean }) {
  return (
    <form method="post" action={`${href("/administration/system-configuration")}#verified-domains`}>
      <Card
        title="Verified domains"
        id="verified-domains"
        description="Whether tests may reach hosts that their organization has not verified."
        footer={
          <Button name="intent" value="saveDomains" variant="primary">
            Save rule
          </Button>
        }
      >
        <Checkbox
          name="verifiedDomainsOnly"
          label={settingWords.verifiedDomainsOnly.name}
          hint="Requests and redirects to other hosts are blocked. Each organization verifies its domains under Administration, Domains."
          defaultChecked={isOn}
        />
      </Card>
    </form>
  );
}
