import { useForm } from "@conform-to/react";
import { parseWithZod } from "@conform-to/zod/v4";
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { fieldProps } from "~/forms/field-props";
import { PageForm } from "~/forms/page-form";
import { readForm } from "~/forms/read-form.server";
import { rejected } from "~/forms/submission.server";
import { useSavedResult } from "~/forms/use-saved-form";
import { href } from "~/href";
import { requireViewer } from "~/session/guards";
import { redirectWithToast } from "~/session/toast-message";
import { DefaultSubmit } from "~/ui/button/button";
import { Stack } from "~/ui/layout/layout";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { TextField } from "~/ui/text-field/text-field";
import { loadChoices } from "./config-choices.server";
import { ConfigFields } from "./config-fields";
import { createsCredential, type NewConfig, newConfigForm } from "./config-form";
import { leaveForCredential, readReturn } from "./new-credential.server";

export const meta: MetaFunction = () => [{ title: "Create an authorization config · API Assurance" }];

const list = href("/administration/authorization-configs");

export async function loader({ request, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const search = new URL(request.url).searchParams;
  const [domain, schemeName] = ["domain", "scheme"].map((name) => search.get(name)?.trim() ?? "") as [string, string];
  const { typedDomain, madeId } = readReturn(request, context);
  const intended = typedDomain ?? domain;
  const choices = await loadChoices(viewer, { domain: intended, apiId: search.get("apiId") || undefined, madeId });
  return { domain: intended, schemeName, choices, madeId, mayCreateCredentials: viewer.may("credentials:manage") };
}

export async function action({ request, context }: ActionFunctionArgs) {
  const { backend } = await requireViewer(request, context);
  const form = await readForm(request.clone());
  if (form.get("intent") === createsCredential) {
    return await leaveForCredential(request, context, String(form.get("domain") ?? "").trim());
  }
  const submission = parseWithZod(form, { schema: newConfigForm });
  if (submission.status !== "success") return rejected(submission);
  const created = await backend.securityService.createAuthorizationConfig({ body: submission.value });
  if (!created.ok) return rejected(submission, created.problem);
  const { domain, schemeName, credentialName } = created.value;
  const page = href("/administration/domain/:domain/edit", { domain });
  return redirectWithToast(context, page, `${schemeName} is mapped to ${credentialName} at ${domain}.`);
}

export default function CreateAuthorizationConfig() {
  const { domain, schemeName, choices, madeId, mayCreateCredentials } = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>();
  const stored = useSavedResult();
  const [form, fields] = useForm<NewConfig>({
    id: "config",
    lastResult: result ?? stored,
    defaultValue: { domain, schemeName, credentialId: choices.fitting.length === 1 ? choices.fitting[0]!.value : "" },
  });
  return (
    <>
      <PageHeading
        title="Create an authorization config"
        description="Requests to the domain that inherit their authorization use the credential if their operation requires the scheme."
        breadcrumbs={[{ label: "Authorization configs", href: list }, { label: "Create" }]}
      />
      <PageForm form={form} submitLabel="Create authorization config" cancelHref={list}>
        <DefaultSubmit name="intent" value="save" />
        <Stack gap="huge">
          <TextField
            label="Domain"
            hint={
              <>
                A host such as <code>api.example.com</code>; with <code>*.</code> in front, all its subdomains. It can't
                be changed later.
              </>
            }
            code
            autoCapitalize="none"
            autoComplete="off"
            spellCheck={false}
            inputMode="url"
            {...fieldProps(fields.domain)}
          />
          <ConfigFields {...{ fields, domain, choices, mayCreateCredentials }} madeId={result ? undefined : madeId} />
        </Stack>
      </PageForm>
    </>
  );
}
