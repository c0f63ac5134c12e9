import type { FieldMetadata } from "@conform-to/react";
import { givenRoles, roleName } from "~/features/people/role-words";
import { checkboxProps, choicesProps, fieldProps } from "~/forms/field-props";
import { Card } from "~/ui/card/card";
import { Checkbox } from "~/ui/checkbox/checkbox";
import { FieldsetGroup } from "~/ui/fieldset-group/fieldset-group";
import { Stack } from "~/ui/layout/layout";
import { CheckboxGroup, RadioGroup } from "~/ui/radio-group/radio-group";
import { Select } from "~/ui/select/select";
import { TextArea } from "~/ui/text-area/text-area";
import { TextField } from "~/ui/text-field/text-field";
import type { SignOnForm } from "./sign-on-form";

type Metadata<Value> = FieldMetadata<Value, Record<string, unknown>, string[]>;

export interface SignOnFieldsProps {
  fields: { [Name in keyof Required<SignOnForm>]: Metadata<SignOnForm[Name]> };
  domains: string[];
  isSet: boolean;
}

export function SignOnFields({ fields, domains, isSet }: SignOnFieldsProps) {
  return (
    <>
      <ProviderCard {...{ fields, domains, isSet }} />
      <RolesCard fields={fields} />
      <Card title="Who may log in">
        <Stack>
          <RadioGroup
            {...fieldProps(fields.unknownPeople)}
            label="People without an account here"
            options={[
              { value: "created", label: "Accounts are created at first login", hint: "As far as your plan allows" },
              { value: "refused", label: "Can't log in", hint: "Until an administrator has invited them" },
            ]}
          />
          <Checkbox
            {...checkboxProps(fields.isRequired)}
            label="Require single sign-on"
            hint="People with an address at these domains can no longer log in with a password, and password sessions are ended. Administrators still can, in case the provider fails."
          />
        </Stack>
      </Card>
    </>
  );
}

function ProviderCard({ fields, domains, isSet }: SignOnFieldsProps) {
  return (
    <Card title="Provider">
      <Stack>
        <TextField
          {...fieldProps(fields.issuer)}
          label="Issuer"
          type="url"
          required
          hint="For example https://login.example.com. Its OpenID configuration is read when you save."
        />
        <TextField {...fieldProps(fields.clientId)} label="Client ID" required autoComplete="off" />
        <TextField
          {...fieldProps(fields.secret)}
          defaultValue={undefined}
          label="Client secret"
          type="password"
          required={!isSet}
          autoComplete="off"
          hint={isSet ? "Stored encrypted, never shown. Leave it empty to keep it." : "Stored encrypted, never shown."}
        />
        <CheckboxGroup
          {...choicesProps(fields.domains)}
          label="Email domains"
          hint="People with an address at one of them log in with this provider. Only verified domains can be chosen."
          options={domains.map((value) => ({ value, label: value }))}
        />
      </Stack>
    </Card>
  );
}

function RolesCard({ fields }: Pick<SignOnFieldsProps, "fields">) {
  const roles = fields.roles.getFieldset();
  return (
    <Card title="Roles" description="With a claim, roles follow it at every sign-in. Without one they are given here.">
      <Stack>
        <TextField
          {...fieldProps(fields.rolesClaim)}
          label="Claim"
          autoComplete="off"
          hint="For example groups or roles: a string or an array of strings in the ID token or at the userinfo endpoint."
        />
        <FieldsetGroup
          id={fields.roles.id}
          errors={fields.roles.errors}
          legend="Values of the claim that assign a role"
          hint="One per line, exactly as sent by the provider. If there are several values, all apply."
        >
          {givenRoles.map((role) => (
            <TextArea key={role} {...fieldProps(roles[role])} label={roleName(role)} rows={2} spellCheck={false} />
          ))}
        </FieldsetGroup>
        <Select
          {...fieldProps(fields.usualRole)}
          label="Role of everyone else"
          placeholder="None: they can't log in"
          options={givenRoles.map((value) => ({ value, label: roleName(value) }))}
        />
      </Stack>
    </Card>
  );
}
