import type { SubmissionResult } from "@conform-to/dom";
import { getFormProps, useForm } from "@conform-to/react";
import { CredentialFields } from "~/features/credentials/credential-fields";
import { type CredentialFields as Fields, newSettings } from "~/features/credentials/credential-form";
import { FormErrorSummary } from "~/forms/form-error-summary";
import { useSavedResult } from "~/forms/use-saved-form";
import { Button, LinkButton } from "~/ui/button/button";
import { Card } from "~/ui/card/card";
import { Column, Row, Stack } from "~/ui/layout/layout";
import { Select } from "~/ui/select/select";
import type { SchemeForm } from "./schemes-by-host.server";

export interface SchemeAnswerProps {
  form: SchemeForm;
  /** Of the rejected form. */
  result: SubmissionResult | undefined;
  /** May say which of several credentials answers. */
  mayBind: boolean;
  cancelHref: string;
}

/** Answers a scheme at a host with a new credential, or with a stored one. */
export function SchemeAnswer({
  form: { schemeName, wanted, filled, choices },
  result,
  mayBind,
  cancelHref,
}: SchemeAnswerProps) {
  const { name, domain, types, settings } = filled;
  const stored = useSavedResult();
  const [form, fields] = useForm<Fields>({
    id: "credential",
    lastResult: result ?? stored,
    defaultValue: { name, domain, type: types[0], settings: { ...newSettings, ...settings } },
  });
  return (
    <Column width="form" id="answer">
      <Stack gap="large">
        <FormErrorSummary form={form} />
        {mayBind && choices.length > 0 && (
          <Card title={`Map ${schemeName} to a stored credential`}>
            <form method="post">
              <input type="hidden" name="schemeName" value={schemeName} />
              <input type="hidden" name="domain" value={domain} />
              <Stack>
                <Select
                  label="Credential"
                  name="credentialId"
                  id="credentialId"
                  options={choices}
                  placeholder="Choose a credential"
                  errors={result?.error?.credentialId ?? undefined}
                />
                <Row>
                  <Button name="intent" value="bind">
                    Use it
                  </Button>
                </Row>
              </Stack>
            </form>
          </Card>
        )}
        <form method="post" {...getFormProps(form)}>
          <Stack gap="large">
            <Card title={`Store ${wanted}`} description={`For ${schemeName} at ${domain}.`}>
              <CredentialFields fields={fields} secretSet={false} types={types} />
            </Card>
            <Row>
              <Button name="intent" value="store" variant="primary">
                Store it
              </Button>
              <LinkButton href={cancelHref} variant="quiet">
                Cancel
              </LinkButton>
            </Row>
          </Stack>
        </form>
      </Stack>
    </Column>
  );
}
