import { href } from "~/href";
import { Button } from "~/ui/button/button";
import { Card } from "~/ui/card/card";
import { Column, Row, Stack } from "~/ui/layout/layout";
import { Select } from "~/ui/select/select";
import type { ApiChoice } from "./for-api.server";

/** Starts from what an API's document asks for: kind, host and names are filled in, the secret is left to type. */
export function ForApi({ apis, chosen, schemes, returnTo }: ApiChoice) {
  if (apis.length === 0) return null;
  return (
    <Column width="form">
      <Card title="For an API" description="Fills in what its document says. Or fill in the form below by yourself.">
        <Stack>
          <form method="get" action={href("/administration/credentials/create")}>
            {returnTo && <input type="hidden" name="returnTo" value={returnTo} />}
            <Row>
              <Select
                label="API"
                labelHidden
                name="apiId"
                width="medium"
                placeholder="Choose an API"
                options={apis}
                defaultValue={chosen?.id}
              />
              <Button>Show what it requires</Button>
            </Row>
          </form>
          {chosen && schemes && schemes.length > 0 && (
            <ul>
              {schemes.map(({ name, words, address }) => (
                <li key={name}>
                  <a href={address}>
                    {name}: {words}
                  </a>
                </li>
              ))}
            </ul>
          )}
          {chosen && schemes?.length === 0 && <p>The document of {chosen.name} defines no security scheme.</p>}
          {chosen && !schemes && <p>The security schemes of {chosen.name} can't be shown at the moment.</p>}
        </Stack>
      </Card>
    </Column>
  );
}
