import { getFormProps, useForm } from "@conform-to/react";
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { required } from "~/backend/responses";
import { describeCredential } from "~/features/credentials/credential-words";
import { fieldProps } from "~/forms/field-props";
import { FormErrorSummary } from "~/forms/form-error-summary";
import { parseSubmission, rejected } from "~/forms/submission.server";
import { href } from "~/href";
import { requireViewer } from "~/session/guards";
import { Button } from "~/ui/button/button";
import { Card } from "~/ui/card/card";
import { Stack } from "~/ui/layout/layout";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { TextField } from "~/ui/text-field/text-field";
import { TriedCredential } from "./tried-credential";

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `Try ${data?.credential.name ?? "a credential"} · API Assurance` },
];

const tryForm = z.object({ url: z.string({ error: "Enter a URL" }) });

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { backend } = await requireViewer(request, context);
  const credentialId = params.credentialId!;
  return { credential: required(await backend.securityService.getCredential({ params: { credentialId } })) };
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const { backend } = await requireViewer(request, context);
  const submission = await parseSubmission(request, tryForm);
  if (submission.status !== "success") return rejected(submission);
  const body = { ...submission.value, credentialId: params.credentialId! };
  const tried = await backend.testExecutioner.tryCredential({ body });
  if (!tried.ok) return rejected(submission, tried.problem);
  return { ...submission.reply(), attempt: tried.value };
}

/** The suggested URL; a wildcard names no host. */
function getAddress(domain: string): string {
  return domain.startsWith("*.") ? "" : `https://${domain}/`;
}

export default function TryCredential() {
  const { credential } = useLoaderData<typeof loader>();
  const { id, name, domain } = credential;
  const result = useActionData<typeof action>();
  const [form, fields] = useForm<z.input<typeof tryForm>>({
    id: "try",
    lastResult: result,
    defaultValue: { url: getAddress(domain) },
  });
  const attempt = result && "attempt" in result ? result.attempt : undefined;
  return (
    <>
      <PageHeading
        title={`Try ${name}`}
        description={`${describeCredential(credential)}, for ${domain}`}
        breadcrumbs={[
          { label: "Credentials", href: href("/administration/credentials") },
          { label: name, href: href("/administration/credentials/:credentialId/edit", { credentialId: id }) },
          { label: "Try" },
        ]}
      />
      <form method="post" {...getFormProps(form)}>
        <Card footer={<Button variant="primary">Send</Button>}>
          <Stack>
            <FormErrorSummary form={form} />
            <TextField
              label="URL"
              hint={
                <>
                  One GET request is sent to this URL of <code>{domain}</code>, with the credential. No redirect is
                  followed and nothing is stored.
                </>
              }
              code
              autoCapitalize="none"
              spellCheck={false}
              inputMode="url"
              {...fieldProps(fields.url)}
            />
          </Stack>
        </Card>
      </form>
      {attempt && <TriedCredential attempt={attempt} />}
    </>
  );
}
