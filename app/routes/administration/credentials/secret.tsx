import { useForm } from "@conform-to/react";
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import type { z } from "zod";
import { replaceSecret } from "#contracts/security-service/credentials.ts";
import { required } from "~/backend/responses";
import { storedToast } from "~/features/credentials/credential-words";
import { credentialKinds } from "~/features/credentials/kinds/kinds";
import { fieldProps } from "~/forms/field-props";
import { PageForm } from "~/forms/page-form";
import { parseSubmission, rejected } from "~/forms/submission.server";
import { useSavedResult } from "~/forms/use-saved-form";
import { href } from "~/href";
import { requireViewer } from "~/session/guards";
import { redirectWithToast } from "~/session/toast-message";
import { Stack } from "~/ui/layout/layout";
import { Moment } from "~/ui/moment/moment";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { TextArea } from "~/ui/text-area/text-area";
import { TextField } from "~/ui/text-field/text-field";

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `Secret of ${data?.credential.name ?? "a credential"} · API Assurance` },
];

const newSecret = replaceSecret.body!;

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { backend } = await requireViewer(request, context);
  const credentialId = params.credentialId!;
  return { credential: required(await backend.securityService.getCredential({ params: { credentialId } })) };
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const { backend } = await requireViewer(request, context);
  const credentialId = params.credentialId!;
  const submission = await parseSubmission(request, newSecret);
  if (submission.status !== "success") return rejected(submission);
  const replaced = await backend.securityService.replaceSecret({ params: { credentialId }, body: submission.value });
  if (!replaced.ok) return rejected(submission, forThisForm(replaced.problem));
  const said = `${replaced.value.name} has a new secret. The old one no longer works.`;
  const edit = href("/administration/credentials/:credentialId/edit", { credentialId });
  return redirectWithToast(context, edit, storedToast(said, submission.value.secret));
}

/** Errors that the service reports for settings appear here at the field. */
function forThisForm<Reported extends { errors?: { path?: string; message: string }[] }>(problem: Reported): Reported {
  return { ...problem, errors: problem.errors?.map((error) => ({ ...error, path: error.path?.split(".").at(-1) })) };
}

export default function ReplaceSecret() {
  const { id, name, type, settings, secretSetAt } = useLoaderData<typeof loader>().credential;
  const stored = useSavedResult();
  const [form, fields] = useForm<z.input<typeof newSecret>>({
    id: "secret",
    lastResult: useActionData<typeof action>() ?? stored,
    defaultValue: { accessKeyId: settings.accessKeyId },
  });
  const edit = href("/administration/credentials/:credentialId/edit", { credentialId: id });
  return (
    <>
      <PageHeading
        title="Replace the secret"
        description={
          <>
            Requests use the new one immediately. The current one was stored <Moment value={secretSetAt} />.
          </>
        }
        breadcrumbs={[
          { label: "Credentials", href: href("/administration/credentials") },
          { label: name, href: edit },
          { label: "Secret" },
        ]}
      />
      <PageForm form={form} submitLabel="Replace secret" cancelHref={edit}>
        <Stack>
          {type === "mutualTls" && (
            <TextArea
              label="Client certificate"
              hint="The certificate of the new private key. Leave empty to keep the stored one."
              placeholder="-----BEGIN CERTIFICATE-----"
              code
              {...fieldProps(fields.certificate)}
            />
          )}
          {type === "awsSignatureV4" && (
            <TextField
              label="Access key ID"
              code
              autoCapitalize="none"
              autoComplete="off"
              {...fieldProps(fields.accessKeyId)}
            />
          )}
          <TextField
            label={credentialKinds[type].secretName}
            type="password"
            autoComplete="new-password"
            hint="It is stored encrypted and never shown again."
            {...fieldProps(fields.secret)}
            defaultValue={undefined}
          />
        </Stack>
      </PageForm>
    </>
  );
}
