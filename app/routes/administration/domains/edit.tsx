import { getFormProps, useForm } from "@conform-to/react";
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { required } from "~/backend/responses";
import { FormErrorSummary } from "~/forms/form-error-summary";
import { readForm } from "~/forms/read-form.server";
import { useSavedResult } from "~/forms/use-saved-form";
import { href } from "~/href";
import { requireViewer } from "~/session/guards";
import { Button, LinkButton } from "~/ui/button/button";
import { Card } from "~/ui/card/card";
import { Dialog } from "~/ui/dialog/dialog";
import { Column, Row, Stack } from "~/ui/layout/layout";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { actOnDomain } from "./domain-action.server";
import { DomainConfigs } from "./domain-configs";
import { DomainCredentials } from "./domain-credentials";
import { DomainFields } from "./domain-fields";
import type { NewDomain } from "./domain-form";
import { Ownership } from "./domain-table";
import { deletionInWords } from "./domain-words";
import { ProofCard } from "./proof-card";

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.domain.name ?? "Domain"} · API Assurance` },
];

const list = href("/administration/domain");
const getCredentials = (domain: string) => href("/administration/credentials/domain/:domain", { domain });

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { backend, may } = await requireViewer(request, context);
  const at = { params: { domain: params.domain! } };
  const [domain, credentials, configs] = await Promise.all([
    backend.securityService.getDomain(at).then(required),
    backend.securityService.listDomainCredentials({ ...at, query: {} }).then(required),
    backend.securityService.listDomainAuthorizationConfigs({ ...at, query: {} }).then(required),
  ]);
  return {
    domain,
    configs: { configs: configs.items, hasMore: configs.nextCursor !== null },
    credentials: credentials.items,
    hasMoreCredentials: credentials.nextCursor !== null,
    mayManageCredentials: may("credentials:manage"),
    asksToDelete: new URL(request.url).searchParams.get("dialog") === "delete",
  };
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const viewer = await requireViewer(request, context);
  return await actOnDomain(await readForm(request), { viewer, context, name: params.domain! });
}

export default function EditDomain() {
  const { domain, configs, asksToDelete, ...credentials } = useLoaderData<typeof loader>();
  const { name, description, verification, credentialCount, unsafeMethods } = domain;
  const { method, record, file } = verification;
  const stored = useSavedResult();
  const [form, fields] = useForm<Omit<NewDomain, "name">>({
    id: "domain",
    lastResult: useActionData<typeof action>() ?? stored,
    defaultValue: { description, method, unsafeMethods },
  });
  const here = href("/administration/domain/:domain/edit", { domain: name });
  return (
    <>
      <PageHeading
        title={name}
        mark={<Ownership verification={verification} />}
        breadcrumbs={[{ label: "Domains", href: list }, { label: name }]}
        actions={
          <LinkButton href={`${here}?dialog=delete`} variant="quiet" icon="trash">
            Delete
          </LinkButton>
        }
      />
      <Column width="form">
        <ProofCard verification={verification} action={here} />
      </Column>
      <DomainConfigs domain={name} {...configs} />
      <DomainCredentials domain={name} {...credentials} />
      <Column width="form">
        <form method="post" action={here} {...getFormProps(form)}>
          <Stack gap="huge">
            <FormErrorSummary form={form} />
            <Card title="Settings">
              <Stack gap="huge">
                <DomainFields
                  fields={fields}
                  without={[...(record ? [] : ["dnsTxt"]), ...(file ? [] : ["wellKnown"])]}
                />
                <Row>
                  <Button variant="primary">Save</Button>
                </Row>
              </Stack>
            </Card>
          </Stack>
        </form>
      </Column>
      {asksToDelete && (
        <Dialog
          {...deletionInWords(domain)}
          cancelHref={here}
          action={here}
          actions={
            credentialCount === 0
              ? [{ name: "Delete domain", value: "delete", style: "danger", icon: "trash" }]
              : [{ name: "Show its credentials", href: getCredentials(name), style: "primary" }]
          }
        />
      )}
    </>
  );
}
