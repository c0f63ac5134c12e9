import { useForm } from "@conform-to/react";
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { givenRoles, roleMay, roleName } from "~/features/people/role-words";
import { PlanLink } from "~/features/plans/plan-link";
import { PlanQuota } from "~/features/plans/plan-quota";
import { findQuota } from "~/features/plans/plan-quota.server";
import { choicesProps, fieldProps } from "~/forms/field-props";
import { PageForm } from "~/forms/page-form";
import { readForm } from "~/forms/read-form.server";
import { useSavedResult } from "~/forms/use-saved-form";
import { href } from "~/href";
import { requireViewer } from "~/session/guards";
import { plural } from "~/ui/count/plural";
import { Stack } from "~/ui/layout/layout";
import { Notice } from "~/ui/notice/notice";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { CheckboxGroup } from "~/ui/radio-group/radio-group";
import { Table } from "~/ui/table/table";
import { TextArea } from "~/ui/text-area/text-area";
import { handleInviteForm, type InviteResult } from "./invite.server";

export const meta: MetaFunction = () => [{ title: "Invite people · API Assurance" }];

const list = href("/administration/user-management/invites/pending");
const here = href("/administration/user-management/invite");

export async function loader({ request, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  return {
    quota: await findQuota(viewer, "members"),
    managesBilling: viewer.may("billing:manage"),
    email: new URL(request.url).searchParams.get("email") ?? "",
  };
}

export async function action({ request, context }: ActionFunctionArgs) {
  const viewer = await requireViewer(request, context);
  return await handleInviteForm({ viewer, context, form: await readForm(request) });
}

const nothingYet: Omit<InviteResult, "reply"> = { refused: [], invited: 0, planLimitReached: false };

export default function Invite() {
  const { email, quota, managesBilling } = useLoaderData<typeof loader>();
  const result = useActionData<InviteResult>();
  const stored = useSavedResult();
  const [form, fields] = useForm<{ emails: string; roles: string[] }>({
    id: "invite",
    lastResult: result?.reply ?? stored,
    defaultValue: { emails: email, roles: ["VIEWER"] },
  });
  const { refused, invited, planLimitReached } = result ?? nothingYet;
  return (
    <>
      <PageHeading
        title="Invite people"
        description="Each person gets their own link by email, valid for seven days."
        breadcrumbs={[{ label: "Invitations", href: list }, { label: "Invite" }]}
      />
      {invited > 0 && (
        <Notice tone="success" role="status" title={`${plural(invited, "person is", "people are")} invited`}>
          The others are still below. <a href={list}>See pending invitations</a>
        </Notice>
      )}
      {!planLimitReached && <PlanQuota quota={quota} />}
      {planLimitReached && (
        <Notice tone="warning" title="Your plan does not allow this many members">
          Open invitations count until they are accepted, cancelled or expired.{" "}
          <PlanLink managesBilling={managesBilling} />
        </Notice>
      )}
      <PageForm form={form} action={here} submitLabel="Send invitations" cancelHref={list}>
        <Stack>
          <TextArea
            {...fieldProps(fields.emails)}
            label="Email addresses"
            required
            rows={6}
            autoCapitalize="none"
            spellCheck={false}
            hint="Up to 200, one per line or comma-separated. Names are allowed: Ada Lovelace <ada@example.com>"
          />
          {refused.length > 0 && (
            <Table
              caption="Not invited"
              rows={refused.map((entry, index) => ({ ...entry, key: String(index) }))}
              rowKey={({ key }) => key}
              columns={[
                { key: "typed", header: "Entered", rowHeader: true, cell: ({ typed }) => typed },
                { key: "why", header: "Why", cell: ({ message }) => message },
              ]}
            />
          )}
          <CheckboxGroup
            {...choicesProps(fields.roles)}
            label="Roles"
            hint="Their permissions after joining. You can change them at any time."
            options={givenRoles.map((value) => ({ value, label: roleName(value), hint: roleMay(value) }))}
          />
        </Stack>
      </PageForm>
    </>
  );
}
