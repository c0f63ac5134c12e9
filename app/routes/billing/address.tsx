import { getFormProps, useForm } from "@conform-to/react";
import { parseWithZod } from "@conform-to/zod/v4";
import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { required } from "~/backend/responses";
import { fieldProps } from "~/forms/field-props";
import { FormErrorSummary } from "~/forms/form-error-summary";
import { readForm } from "~/forms/read-form.server";
import { rejected } from "~/forms/submission.server";
import { useSavedResult } from "~/forms/use-saved-form";
import { href } from "~/href";
import { requireViewer } from "~/session/guards";
import { redirectWithToast } from "~/session/toast-message";
import { Page } from "~/shell/page/page";
import { Button, DefaultSubmit, LinkButton } from "~/ui/button/button";
import { Card } from "~/ui/card/card";
import { Column, Row, Stack } from "~/ui/layout/layout";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { Select } from "~/ui/select/select";
import { TextArea } from "~/ui/text-area/text-area";
import { TextField } from "~/ui/text-field/text-field";

export const meta: MetaFunction = () => [{ title: "Billing address · API Assurance" }];

const text = z.string().optional();
/** The fields that any country may require; portal-service decides which of them this one does. */
const addressForm = z.object({
  country: z.string(),
  organization: text,
  name: text,
  street: text,
  district: text,
  city: text,
  area: text,
  postalCode: text,
  sortingCode: text,
  vatId: text,
});

const autoComplete = {
  organization: "organization",
  name: "name",
  street: "street-address",
  district: "address-level3",
  city: "address-level2",
  area: "address-level1",
  postalCode: "postal-code",
  sortingCode: "off",
} as const;
const fieldNames = Object.keys(autoComplete) as (keyof typeof autoComplete)[];

export async function loader({ request, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const { portalService } = viewer.backend;
  const [{ address }, { items: countries }, organization] = await Promise.all([
    portalService.getBillingAddress().then(required),
    portalService.listCountries().then(required),
    portalService.getCurrentOrganization().then(required),
  ]);
  const chosen = new URL(request.url).searchParams.get("country") ?? address?.country;
  const code = countries.find((one) => one.code === chosen?.toUpperCase())?.code;
  return {
    countries,
    country: code === undefined ? undefined : required(await portalService.getCountryMetadata({ params: { code } })),
    known: address ?? { organization: organization.name },
  };
}

export async function action({ request, context }: ActionFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const { portalService } = viewer.backend;
  const form = await readForm(request);
  const submission = parseWithZod(form, { schema: addressForm });
  const code = String(form.get("country") ?? "");
  const metadata = code ? await portalService.getCountryMetadata({ params: { code } }) : undefined;
  const country = metadata?.ok ? metadata.value : undefined;
  // Another country was chosen: its fields are displayed without validation.
  if (form.get("intent") === "country")
    return data({ result: { ...submission.reply(), status: undefined, error: {} }, country, focusCountry: true });
  const refused = ({ data: result, init }: ReturnType<typeof rejected>) =>
    data({ result, country, focusCountry: false }, init ?? undefined);
  if (submission.status !== "success") return refused(rejected(submission));
  const saved = await portalService.putBillingAddress({ body: submission.value });
  if (!saved.ok) return refused(rejected(submission, saved.problem));
  return redirectWithToast(context, href("/billing"), "The billing address was saved. It appears on your invoices.");
}

export default function BillingAddress() {
  const { countries, country, known } = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>();
  const stored = useSavedResult();
  const displayed: Country | undefined = result ? result.country : country;
  const [form, fields] = useForm<z.input<typeof addressForm>>({
    id: "address",
    lastResult: result?.result ?? stored,
    defaultValue: { ...known, country: displayed?.code },
  });
  const others = fieldNames.filter((name) => !displayed?.fields.some((field) => field.name === name));
  return (
    <Page>
      <PageHeading
        title="Billing address"
        breadcrumbs={[{ label: "Billing", href: href("/billing") }, { label: "Billing address" }]}
        description="It appears on your invoices."
      />
      <Column width="form">
        <Card>
          <form
            method="post"
            action={href("/billing/address", displayed && { country: displayed.code })}
            {...getFormProps(form)}
          >
            {/* Enter in a field saves; without fields there is nothing to save. */}
            {displayed && <DefaultSubmit name="intent" value="save" />}
            <Stack>
              <FormErrorSummary form={form} />
              <Select
                {...fieldProps(fields.country)}
                label="Country"
                hint="The address fields below depend on the country."
                autoComplete="country"
                required
                autoFocus={result?.focusCountry}
                placeholder="Choose a country"
                options={countries.map(({ code, name }) => ({ value: code, label: name }))}
                data-submits="show-fields"
              />
              <Row>
                <Button id="show-fields" name="intent" value="country" formNoValidate>
                  {displayed ? "Change the country" : "Show the fields"}
                </Button>
              </Row>
              {/* Input for another country, restored when that country is chosen again; only the fields of the current country are saved. */}
              {others.map((name) => {
                const { defaultValue } = fieldProps(fields[name]);
                return defaultValue && <input key={name} type="hidden" name={name} value={defaultValue} />;
              })}
              {displayed && <AddressFields country={displayed} fields={fields} />}
            </Stack>
          </form>
        </Card>
      </Column>
    </Page>
  );
}

type Country = NonNullable<ReturnType<typeof useLoaderData<typeof loader>>["country"]>;

interface AddressFieldsProps {
  country: Country;
  fields: ReturnType<typeof useForm<z.input<typeof addressForm>>>[1];
}

function AddressFields({ country, fields }: AddressFieldsProps) {
  return (
    <>
      {country.fields.map(({ name, label, required, choices, example }) => {
        const field = { ...fieldProps(fields[name]), label, required, autoComplete: autoComplete[name] };
        if (choices)
          return <Select key={name} {...field} options={choices} placeholder={`Choose the ${label.toLowerCase()}`} />;
        if (name === "street") return <TextArea key={name} {...field} rows={2} />;
        return <TextField key={name} {...field} hint={example && `For example ${example}`} />;
      })}
      <TextField
        {...fieldProps(fields.vatId)}
        label="VAT number"
        hint="Printed on invoices as entered. Not verified."
        autoComplete="off"
      />
      <Row>
        <Button variant="primary" name="intent" value="save">
          Save the address
        </Button>
        <LinkButton href={href("/billing")}>Cancel</LinkButton>
      </Row>
    </>
  );
}
