import { useForm } from "@conform-to/react";
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { fieldProps } from "~/forms/field-props";
import { PageForm } from "~/forms/page-form";
import { parseSubmission, rejected } from "~/forms/submission.server";
import { useSavedResult } from "~/forms/use-saved-form";
import { href } from "~/href";
import { requireViewer } from "~/session/guards";
import { redirectWithToast } from "~/session/toast-message";
import { Stack } from "~/ui/layout/layout";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { TextField } from "~/ui/text-field/text-field";
import { DomainFields } from "./domain-fields";
import { type NewDomain, newDomainForm } from "./domain-form";

export const meta: MetaFunction = () => [{ title: "Create a domain · API Assurance" }];

const list = href("/administration/domain");

export async function loader({ request, context }: LoaderFunctionArgs) {
  await requireViewer(request, context);
  return { name: new URL(request.url).searchParams.get("name") ?? "" };
}

export async function action({ request, context }: ActionFunctionArgs) {
  const { backend } = await requireViewer(request, context);
  const submission = await parseSubmission(request, newDomainForm);
  if (submission.status !== "success") return rejected(submission);
  const created = await backend.securityService.createDomain({ body: submission.value });
  if (!created.ok) return rejected(submission, created.problem);
  const { name } = created.value;
  const page = href("/administration/domain/:domain/edit", { domain: name });
  return redirectWithToast(context, page, `${name} is created. Prove now that it is yours.`);
}

export default function CreateDomain() {
  const { name } = useLoaderData<typeof loader>();
  const stored = useSavedResult();
  const [form, fields] = useForm<NewDomain>({
    id: "domain",
    lastResult: useActionData<typeof action>() ?? stored,
    defaultValue: { name, method: "dnsTxt", unsafeMethods: "allowed" },
  });
  return (
    <>
      <PageHeading title="Create a domain" breadcrumbs={[{ label: "Domains", href: list }, { label: "Create" }]} />
      <PageForm form={form} submitLabel="Create domain" cancelHref={list}>
        <Stack gap="huge">
          <TextField
            label="Domain"
            hint={
              <>
                A host such as <code>api.example.com</code>, with a port if only that one is meant; with <code>*.</code>{" "}
                in front, all its subdomains. The name can't be changed later.
              </>
            }
            code
            autoCapitalize="none"
            autoComplete="off"
            spellCheck={false}
            inputMode="url"
            {...fieldProps(fields.name)}
          />
          <DomainFields fields={fields} />
        </Stack>
      </PageForm>
    </>
  );
}
