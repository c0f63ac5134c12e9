import { useForm } from "@conform-to/react";
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { credentialTypes } from "#contracts/security-service/credential-types/settings.ts";
import { CredentialFields } from "~/features/credentials/credential-fields";
import {
  type CredentialFields as Fields,
  newCredentialForm,
  newSettings,
} from "~/features/credentials/credential-form";
import { storedToast } from "~/features/credentials/credential-words";
import { madeCredential } from "~/features/credentials/made-credential";
import { atSecretFields } from "~/features/credentials/secret-source";
import { PageForm } from "~/forms/page-form";
import { parseSubmission, rejected } from "~/forms/submission.server";
import { useSavedResult } from "~/forms/use-saved-form";
import { href } from "~/href";
import { requireViewer } from "~/session/guards";
import { ownPath } from "~/session/redirects";
import { redirectWithToast } from "~/session/toast-message";
import { listAddress } from "~/ui/list-page/list-address";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { ForApi } from "./for-api";
import { findApiChoice } from "./for-api.server";

export const meta: MetaFunction = () => [{ title: "Create a credential · API Assurance" }];

const list = href("/administration/credentials");

/** The page of the authorization config that requested the credential, if any. */
function getConfigAddress(request: Request): string | undefined {
  const returnTo = new URL(request.url).searchParams.get("returnTo");
  return returnTo ? ownPath(returnTo) : undefined;
}

/** Everything but the secret may be given in the address. */
function readFilled(search: URLSearchParams) {
  const type = credentialTypes.find((one) => one === search.get("type")) ?? "basic";
  const location = (["header", "query", "cookie"] as const).find((one) => one === search.get("in"));
  const parameterName = search.get("parameterName") ?? undefined;
  const tokenUrl = search.get("tokenUrl") ?? undefined;
  const settings = {
    ...newSettings,
    ...(location && { in: location }),
    ...(parameterName && { parameterName }),
    ...(tokenUrl && { tokenUrl }),
  };
  return { name: search.get("name") ?? "", domain: search.get("domain") ?? "", type, settings };
}

export async function loader({ request, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const search = new URL(request.url).searchParams;
  const forApi = await findApiChoice(viewer, search);
  return { filled: readFilled(search), forApi, cancelHref: getConfigAddress(request) ?? list };
}

export async function action({ request, context }: ActionFunctionArgs) {
  const { backend } = await requireViewer(request, context);
  const submission = await parseSubmission(request, newCredentialForm);
  if (submission.status !== "success") return rejected(submission);
  const created = await backend.securityService.createCredential({ body: submission.value });
  if (!created.ok) return rejected(submission, atSecretFields(created.problem));
  const stored = `${created.value.name} is stored, for ${created.value.domain} only.`;
  const configAddress = getConfigAddress(request);
  const page = configAddress ? listAddress(configAddress, { [madeCredential]: created.value.id }) : list;
  return redirectWithToast(context, page, storedToast(stored, submission.value.secret));
}

export default function CreateCredential() {
  const { filled, forApi, cancelHref } = useLoaderData<typeof loader>();
  const stored = useSavedResult();
  const [form, fields] = useForm<Fields>({
    id: "credential",
    lastResult: useActionData<typeof action>() ?? stored,
    defaultValue: filled,
  });
  return (
    <>
      <PageHeading
        title="Create a credential"
        breadcrumbs={[{ label: "Credentials", href: list }, { label: "Create" }]}
      />
      <ForApi {...forApi} />
      <PageForm form={form} submitLabel="Create credential" cancelHref={cancelHref}>
        <CredentialFields fields={fields} secretSet={false} />
      </PageForm>
    </>
  );
}
