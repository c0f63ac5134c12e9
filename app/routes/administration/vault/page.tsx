import { useForm } from "@conform-to/react";
import { parseWithZod } from "@conform-to/zod/v4";
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { problemResponse, required } from "~/backend/responses";
import { fieldProps } from "~/forms/field-props";
import { PageForm } from "~/forms/page-form";
import { readForm } from "~/forms/read-form.server";
import { rejected } from "~/forms/submission.server";
import { useSavedResult } from "~/forms/use-saved-form";
import { href } from "~/href";
import { requireViewer } from "~/session/guards";
import { redirectWithToast } from "~/session/toast-message";
import { LinkButton } from "~/ui/button/button";
import { Dialog } from "~/ui/dialog/dialog";
import { Stack } from "~/ui/layout/layout";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { RadioGroup } from "~/ui/radio-group/radio-group";
import { TextField } from "~/ui/text-field/text-field";
import * as styles from "./vault-fields.css";
import { toFormValues, toInput, type VaultForm, vaultForm } from "./vault-form";

export const meta: MetaFunction = () => [{ title: "Vault · API Assurance" }];

const here = href("/administration/vault");
const plain = { code: true, autoCapitalize: "none", autoComplete: "off", spellCheck: false } as const;

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { backend } = await requireViewer(request, context);
  const { connection } = required(await backend.securityService.getVaultConnection());
  return { connection, asksToDelete: new URL(request.url).searchParams.get("dialog") === "delete" };
}

export async function action({ request, context }: ActionFunctionArgs) {
  const { securityService } = (await requireViewer(request, context)).backend;
  const form = await readForm(request);
  if (form.get("intent") === "delete") {
    const deleted = await securityService.deleteVaultConnection();
    if (!deleted.ok && deleted.status !== 404) throw problemResponse(deleted.problem);
    return redirectWithToast(context, here, "Vault is no longer connected.");
  }
  const submission = parseWithZod(form, { schema: vaultForm });
  if (submission.status !== "success") return rejected(submission);
  const saved = await securityService.setVaultConnection({ body: toInput(submission.value) });
  if (!saved.ok) return rejected(submission, saved.problem);
  return redirectWithToast(context, here, "Saved. Try it with a credential whose secret is in Vault.");
}

export default function VaultPage() {
  const { connection, asksToDelete } = useLoaderData<typeof loader>();
  const stored = useSavedResult();
  const [form, fields] = useForm<VaultForm>({
    id: "vault",
    lastResult: useActionData<typeof action>() ?? stored,
    defaultValue: toFormValues(connection),
  });
  return (
    <>
      <PageHeading
        title="Vault"
        description="Credentials can have their secret in HashiCorp Vault, in a KV secrets engine of version 2. It is read when a test needs it and never stored."
        actions={
          connection && (
            <LinkButton href={`${here}?dialog=delete`} variant="quiet" icon="trash">
              Disconnect
            </LinkButton>
          )
        }
      />
      <PageForm
        form={form}
        action={here}
        submitLabel={connection ? "Save" : "Connect Vault"}
        cancelHref={href("/administration/credentials")}
      >
        <Stack>
          <TextField
            label="Address"
            inputMode="url"
            placeholder="https://vault.example.com:8200"
            {...plain}
            {...fieldProps(fields.address)}
          />
          <TextField
            label="Mount"
            hint="Where the KV secrets engine is mounted."
            width="medium"
            {...plain}
            {...fieldProps(fields.mount)}
          />
          <TextField
            label="Namespace"
            required={false}
            hint="Of Vault Enterprise and HCP. Usually empty."
            width="medium"
            {...plain}
            {...fieldProps(fields.namespace)}
          />
          <RadioGroup
            label="Authentication"
            options={[
              { value: "token", label: "Token" },
              {
                value: "appRole",
                label: "AppRole",
                hint: "A role id and a secret id; tokens are fetched and replaced",
              },
            ]}
            {...fieldProps(fields.authentication)}
          />
          <div className={styles.ofAppRole}>
            <TextField label="Role id" required={false} hint="For AppRole." {...plain} {...fieldProps(fields.roleId)} />
          </div>
          <TextField
            label="Token or secret id"
            type="password"
            autoComplete="new-password"
            required={!connection}
            hint={
              connection
                ? "Leave it empty to keep the stored one. Another address or authentication asks for it again."
                : "It needs to read the paths that credentials name, and nothing else. It is stored encrypted and never shown again."
            }
            {...fieldProps(fields.secret)}
            defaultValue={undefined}
          />
        </Stack>
      </PageForm>
      {asksToDelete && connection && (
        <Dialog
          title="Disconnect Vault?"
          message="Tests with a credential whose secret is in Vault end with an error until Vault is connected again."
          cancelHref={here}
          action={here}
          actions={[{ name: "Disconnect Vault", value: "delete", style: "danger", icon: "trash" }]}
        />
      )}
    </>
  );
}
