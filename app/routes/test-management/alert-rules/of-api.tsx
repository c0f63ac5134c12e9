import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { required } from "~/backend/responses";
import { href } from "~/href";
import { requireViewer } from "~/session/guards";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { handleRuleForm, loadRule } from "./rule.server";
import { RuleEditor } from "./rule-editor";
import { RuleInForce } from "./rule-in-force";

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `Alert rule of ${data?.api.name ?? "an API"} · API Assurance` },
];

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const apiId = params.apiId!;
  const [api, rule] = await Promise.all([
    viewer.backend.apiRegistry.summarizeApi({ params: { apiId } }).then(required),
    loadRule(viewer, request, { kind: "api", apiId }, apiId),
  ]);
  return { api: { id: apiId, name: api.name }, rule };
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const apiId = params.apiId!;
  const here = href("/test-management/:apiId/alert-rules", { apiId });
  return await handleRuleForm(request, { viewer, context, scope: { kind: "api", apiId }, here });
}

export default function AlertRuleOfApi() {
  const { api, rule } = useLoaderData<typeof loader>();
  return (
    <>
      <PageHeading
        title="Alert rule"
        description={`For failing tests of ${api.name}, unless they run in a circle with its own rule.`}
      />
      <RuleInForce {...{ rule, api }} />
      <RuleEditor
        rule={rule}
        result={useActionData<typeof action>()}
        subject={`a test of ${api.name}`}
        here={href("/test-management/:apiId/alert-rules", { apiId: api.id })}
        deleting={
          rule.wider
            ? {
                name: "Use the organization's rule again",
                message: "The organization's rule applies from the next result.",
              }
            : {
                name: "Delete the rule",
                message: "No other rule applies here: from the next result on, no alerts are sent.",
              }
        }
      />
    </>
  );
}
