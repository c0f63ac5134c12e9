import { useForm } from "@conform-to/react";
import { parseWithZod } from "@conform-to/zod/v4";
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { required } from "~/backend/responses";
import { CredentialFields } from "~/features/credentials/credential-fields";
import {
  type CredentialFields as Fields,
  newSettings,
  storedCredentialForm,
} from "~/features/credentials/credential-form";
import { deletionInWords, storedToast } from "~/features/credentials/credential-words";
import { atSecretFields, toSecretSource } from "~/features/credentials/secret-source";
import { PageForm } from "~/forms/page-form";
import { readForm } from "~/forms/read-form.server";
import { rejected } from "~/forms/submission.server";
import { useSavedResult } from "~/forms/use-saved-form";
import { href } from "~/href";
import { requireViewer } from "~/session/guards";
import { redirectWithToast } from "~/session/toast-message";
import { LinkButton } from "~/ui/button/button";
import { Dialog } from "~/ui/dialog/dialog";
import { Row } from "~/ui/layout/layout";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { CredentialUse } from "./credential-use";

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.credential.name ?? "Credential"} · API Assurance` },
];

const list = href("/administration/credentials");

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { backend } = await requireViewer(request, context);
  const credentialId = params.credentialId!;
  return {
    credential: required(await backend.securityService.getCredential({ params: { credentialId } })),
    asksToDelete: new URL(request.url).searchParams.get("dialog") === "delete",
  };
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const { backend } = await requireViewer(request, context);
  const credentialId = params.credentialId!;
  const form = await readForm(request);
  if (form.get("intent") === "delete") {
    const { name } = required(await backend.securityService.getCredential({ params: { credentialId } }));
    required(await backend.securityService.deleteCredential({ params: { credentialId } }));
    return redirectWithToast(context, list, `${name} is deleted.`);
  }
  const submission = parseWithZod(form, { schema: storedCredentialForm });
  if (submission.status !== "success") return rejected(submission);
  const changed = await backend.securityService.changeCredential({ params: { credentialId }, body: submission.value });
  if (!changed.ok) return rejected(submission, atSecretFields(changed.problem));
  return redirectWithToast(context, list, storedToast(`${changed.value.name} is saved.`, submission.value.secret));
}

export default function EditCredential() {
  const { credential, asksToDelete } = useLoaderData<typeof loader>();
  const { id, name, domain, type, settings, secretSet, reference, usedBy } = credential;
  const stored = useSavedResult();
  const [form, fields] = useForm<Fields>({
    id: "credential",
    lastResult: useActionData<typeof action>() ?? stored,
    defaultValue: { name, domain, type, settings: { ...newSettings, ...settings }, ...toSecretSource(reference) },
  });
  const here = href("/administration/credentials/:credentialId/edit", { credentialId: id });
  return (
    <>
      <PageHeading
        title={name}
        breadcrumbs={[{ label: "Credentials", href: list }, { label: name }]}
        actions={
          <Row>
            <LinkButton href={href("/administration/credentials/:credentialId/try", { credentialId: id })}>
              Try
            </LinkButton>
            <LinkButton href={href("/administration/credentials/:credentialId/secret", { credentialId: id })}>
              Replace secret
            </LinkButton>
            <LinkButton href={`${here}?dialog=delete`} variant="quiet" icon="trash">
              Delete
            </LinkButton>
          </Row>
        }
      />
      <PageForm form={form} action={here} submitLabel="Save" cancelHref={list}>
        <CredentialFields fields={fields} secretSet={secretSet} />
      </PageForm>
      {usedBy && <CredentialUse use={usedBy} />}
      {asksToDelete && (
        <Dialog
          title={`Delete ${name}?`}
          message={deletionInWords(usedBy)}
          cancelHref={here}
          action={here}
          actions={[{ name: "Delete credential", value: "delete", style: "danger", icon: "trash" }]}
        />
      )}
    </>
  );
}
