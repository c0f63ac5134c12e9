import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { required } from "~/backend/responses";
import { type CircleParams, circleAddress } from "~/features/circles/circle-addresses";
import { CircleTabs } from "~/features/circles/circle-tabs";
import { href } from "~/href";
import { requireViewer } from "~/session/guards";
import { type ApiPageHandle, titleWithin } from "~/shell/api-header/api-handle";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { handleRuleForm, loadRule } from "./rule.server";
import { RuleEditor } from "./rule-editor";
import { RuleInForce } from "./rule-in-force";

const getAddress = (location: CircleParams) =>
  href("/test-management/:apiId/test-circles/:testCircleId/alert-rules", { ...location });

export const meta: MetaFunction<typeof loader> = ({ data, matches }) =>
  titleWithin(matches, `Alert rule of ${data?.circle.name ?? "a circle"}`);

export const handle: ApiPageHandle = {
  crumbs({ data, params }) {
    const circle = (data as { circle?: { id: string; name: string; apiIds: string[] } } | undefined)?.circle;
    return circle ? [{ label: circle.name, href: circleAddress(circle, params.apiId) }] : [];
  },
};

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const { apiId, testCircleId } = params as CircleParams;
  const [circle, api, rule] = await Promise.all([
    viewer.backend.testRegistry.getCircle({ params: { testCircleId } }).then(required),
    viewer.backend.apiRegistry.summarizeApi({ params: { apiId } }).then(required),
    loadRule(viewer, request, { kind: "circle", testCircleId }, apiId),
  ]);
  return {
    circle: { id: circle.id, name: circle.name, apiIds: circle.apiIds },
    api: { id: apiId, name: api.name },
    rule,
  };
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const location = params as CircleParams;
  const scope = { kind: "circle" as const, testCircleId: location.testCircleId };
  return await handleRuleForm(request, { viewer, context, scope, here: getAddress(location) });
}

export default function AlertRuleOfCircle() {
  const { circle, api, rule } = useLoaderData<typeof loader>();
  const spansApis = circle.apiIds.length > 1;
  const wider = rule.wider?.scope.kind === "api" ? `the rule of ${api.name}` : "the organization's rule";
  return (
    <>
      <PageHeading
        title={circle.name}
        description="Its alert rule applies to all failures in its runs, regardless of API."
      />
      <CircleTabs apiId={api.id} testCircleId={circle.id} current="rule" />
      <RuleInForce {...{ rule, api }} />
      {spansApis && !rule.own && <p>Tests of other APIs use the rules of those APIs, or the organization's rule.</p>}
      <p>Certificate expiry warnings go to the channels of the API's rule, or else the organization's.</p>
      <RuleEditor
        rule={rule}
        result={useActionData<typeof action>()}
        subject={`a test in a run of ${circle.name}`}
        here={getAddress({ apiId: api.id, testCircleId: circle.id })}
        deleting={
          rule.wider
            ? { name: `Use ${wider} again`, message: `${wider} applies from the next result.` }
            : {
                name: "Delete the rule",
                message: "No other rule applies here: from the next result on, no alerts are sent.",
              }
        }
      />
    </>
  );
}
