import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { href } from "~/href";
import { requireViewer } from "~/session/guards";
import { Page } from "~/shell/page/page";
import { Card } from "~/ui/card/card";
import { Notice } from "~/ui/notice/notice";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { listOtherRules } from "./other-rules.server";
import { handleRuleForm, loadRule } from "./rule.server";
import { RuleEditor } from "./rule-editor";

export const meta: MetaFunction = () => [{ title: "Alert rules · API Assurance" }];

const scope = { kind: "organization" as const };

export async function loader({ request, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const [rule, others] = await Promise.all([loadRule(viewer, request, scope), listOtherRules(viewer)]);
  return { rule, others };
}

export async function action({ request, context }: ActionFunctionArgs) {
  const viewer = await requireViewer(request, context);
  return await handleRuleForm(request, { viewer, context, scope, here: href("/test-management/alert-rules") });
}

export default function AlertRules() {
  const { rule, others } = useLoaderData<typeof loader>();
  return (
    <Page>
      <PageHeading title="Alert rules" description="The default rule applies unless an API or circle has its own." />
      {!rule.own && (
        <Notice tone="warning" title="The organization has no rule yet">
          Without another rule, the first failing run opens an incident but sends no alerts. Certificate warnings need a
          rule.
        </Notice>
      )}
      <RuleEditor
        rule={rule}
        result={useActionData<typeof action>()}
        subject="a test"
        here={href("/test-management/alert-rules")}
        deleting={{
          name: "Delete the rule",
          message: "Without another rule, no alerts are sent from the next result.",
        }}
      />
      {others.length > 0 && (
        <Card title="APIs and circles with their own rule">
          <ul>
            {others.map(({ name, address, words }) => (
              <li key={address}>
                <a href={address}>{name}</a>: {words}
              </li>
            ))}
          </ul>
        </Card>
      )}
    </Page>
  );
}
