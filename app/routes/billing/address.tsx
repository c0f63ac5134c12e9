import { getFormProps, useForm } from "@conform-to/react";
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { required } from "~/backend/answers";
import { fieldProps } from "~/forms/field-props";
import { FormErrorSummary } from "~/forms/form-error-summary";
import { parseSubmission, rejected } from "~/forms/submission.server";
import { useKeptResult } from "~/forms/use-kept-form";
import { href } from "~/href";
import { requireViewer } from "~/session/guards";
import { redirectWithToast } from "~/session/toast-message";
import { Page } from "~/shell/page/page";
import { WorkspaceNav } from "~/shell/workspace-nav/workspace-nav";
import { Button, LinkButton } from "~/ui/button/button";
import { Card } from "~/ui/card/card";
import { Column, Row, Stack } from "~/ui/layout/layout";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { Select } from "~/ui/select/select";
import { TextArea } from "~/ui/text-area/text-area";
import { TextField } from "~/ui/text-field/text-field";

export const meta: MetaFunction = () => [{ title: "Billing address · API Assurance" }];

const text = z.string().optional();
/** What any country may ask for; which of it this one does is portal-service's to judge. */
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
  const submission = await parseSubmission(request, addressForm);
  if (submission.status !== "success") return rejected(submission);
  const saved = await viewer.backend.portalService.putBillingAddress({ body: submission.value });
  if (!saved.ok) return rejected(submission, saved.problem);
  return redirectWithToast(context, href("/billing"), "The billing address was saved. It appears on your invoices.");
}

export default function BillingAddress() {
  const { countries, country, known } = useLoaderData<typeof loader>();
  return (
    <>
      <WorkspaceNav path={href("/billing")} />
      <Page>
        <PageHeading
          title="Billing address"
          breadcrumbs={[{ label: "Billing", href: href("/billing") }, { label: "Billing address" }]}
          description="It appears on your invoices."
        />
        <Column width="form">
          <Stack gap="huge">
            <Card>
              <form method="get">
                <Stack>
                  <Select
                    label="Country"
                    hint="Each country has its own address fields."
                    name="country"
                    id="choose-country"
                    autoComplete="country"
                    required
                    defaultValue={country?.code}
                    placeholder="Choose a country"
                    options={countries.map(({ code, name }) => ({ value: code, label: name }))}
                  />
                  <Row>
                    <Button>{country ? "Change the country" : "Show the fields"}</Button>
                  </Row>
                </Stack>
              </form>
            </Card>
            {country && <AddressForm key={country.code} country={country} known={known} />}
          </Stack>
        </Column>
      </Page>
    </>
  );
}

type Loaded = ReturnType<typeof useLoaderData<typeof loader>>;

function AddressForm({ country, known }: { country: NonNullable<Loaded["country"]>; known: Loaded["known"] }) {
  const answer = useActionData<typeof action>();
  const kept = useKeptResult();
  const [form, fields] = useForm<z.input<typeof addressForm>>({
    id: "address",
    lastResult: answer ?? kept,
    defaultValue: known,
  });
  return (
    <Card title={`Address in ${country.name}`}>
      <form method="post" {...getFormProps(form)}>
        <input type="hidden" name="country" value={country.code} />
        <Stack>
          <FormErrorSummary form={form} />
          {country.fields.map(({ name, label, required, choices, example }) => {
            const field = { ...fieldProps(fields[name]), label, required, autoComplete: autoComplete[name] };
            if (choices)
              return (
                <Select key={name} {...field} options={choices} placeholder={`Choose the ${label.toLowerCase()}`} />
              );
            if (name === "street") return <TextArea key={name} {...field} rows={2} />;
            return <TextField key={name} {...field} hint={example && `As in ${example}`} />;
          })}
          <TextField
            {...fieldProps(fields.vatId)}
            label="VAT number"
            hint="Printed on invoices as you enter it. It is not verified."
            autoComplete="off"
          />
          <Row>
            <Button variant="primary">Save the address</Button>
            <LinkButton href={href("/billing")}>Cancel</LinkButton>
          </Row>
        </Stack>
      </form>
    </Card>
  );
}
