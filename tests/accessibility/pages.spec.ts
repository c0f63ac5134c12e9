import { inviteByMail } from "../support/invited.ts";
import { type MadeWorld, makeWorld } from "../support/made-world.ts";
import type { RunningPortal } from "../support/portal-process.ts";
import { test } from "../support/portal-test.ts";
import { newcomer } from "../support/registration-life.ts";
import { findNewestEmailPath } from "../support/sandbox-emails.ts";
import { visitAll } from "../support/visit-all.ts";

const publicPages = [
  "/",
  "/login",
  "/login/single-sign-on",
  "/login?registered=ada",
  "/registration-type-selection",
  "/create-account-individual?serviceId=team",
  "/create-account-individual-success",
  "/create-account-organization",
  "/create-account-organization-success",
  "/complete-individual-account-registration?token=ended",
  "/register",
  "/register?token=ended",
  "/password-reset",
  "/password-reset?sent",
  "/password-reset/complete",
  "/password-reset/complete?token=any",
  "/confirm-email",
  "/confirm-email?token=any",
  "/confirm-email?done",
  "/confirm-alert-address?token=ended",
  "/confirm-status-updates?token=ended",
  "/end-status-updates?token=ended",
  "/contact",
  "/contact?sent",
  "/about",
  "/alert-webhooks",
  "/docs",
  "/sandbox/mail",
  "/privacy-policy",
  "/terms-and-conditions",
  "/legal",
  "/nowhere",
];

/** An email, and the target of its link before and after a code was requested. */
async function mailedPages(portal: RunningPortal): Promise<string[]> {
  const { email } = newcomer();
  const { link } = await inviteByMail(portal, email);
  return [await findNewestEmailPath(portal, email, /invit/i), link, `${link}&code=sent`];
}

function accountPages(world: MadeWorld): string[] {
  const { credentialId, locationId, agentId } = world;
  return [
    "/dashboard",
    "/search",
    "/search?query=price",
    "/search?query=book",
    "/time-zone?returnTo=%2Fdashboard",
    "/profile",
    "/profile/name",
    "/profile/email",
    "/profile/password",
    "/profile/second-factor",
    "/profile/passkeys",
    "/profile/display",
    "/profile/api-tokens",
    "/profile/api-tokens/create",
    "/profile/command-line",
    "/signout",
    "/administration/user-management",
    "/administration/user-management?query=nobody-is-called-this",
    `/administration/user-management/users/${world.userId}/edit`,
    `/administration/user-management/users/${world.userId}/edit?dialog=take&role=ADMIN`,
    "/administration/user-management/invite",
    "/administration/user-management/invites/pending",
    "/administration/user-management/invites/pending?state=cancelled",
    `/administration/user-management/invites/${world.invitationId}`,
    `/administration/user-management/invites/${world.invitationId}?dialog=cancel`,
    "/administration/credentials",
    "/administration/credentials/create",
    `/administration/credentials/${credentialId}/edit`,
    `/administration/credentials/${credentialId}/secret`,
    `/administration/credentials/${credentialId}/try`,
    "/administration/credentials/domain/127.0.0.1",
    "/administration/system-configuration",
    ...["limits", "network", "retention", "registration", "mail", "changes"].map(
      (section) => `/administration/system-configuration?section=${section}`,
    ),
    "/administration/audit-log",
    "/administration/audit-log/chain",
    "/administration/authorization-configs",
    "/administration/authorization-configs/create",
    `/administration/authorization-configs/${world.authorizationConfigId}/edit`,
    "/administration/system/monthly",
    "/administration/system/reconciliations",
    "/administration/system/plans",
    "/administration/system/plans/create",
    "/administration/system/plans/team",
    "/administration/system/plans/team/edit",
    "/administration/system/plans/team/price",
    "/billing",
    "/billing/address",
    "/billing/address?country=IE",
    "/organization",
    "/organization?dialog=require",
    "/organization/code",
    "/organization/delete",
    "/organization/single-sign-on",
    "/administration/domain",
    "/administration/domain/create",
    "/administration/tracing",
    "/administration/locations",
    "/administration/locations?query=nothing-fits-this",
    "/administration/locations/create",
    `/administration/locations/${locationId}`,
    `/administration/locations/${locationId}?dialog=delete`,
    `/administration/locations/${locationId}?revoke=${agentId}`,
    `/administration/locations/${locationId}/add-agent`,
    "/administration/vault",
    "/administration/domain/127.0.0.1%3A1/edit",
  ];
}

function pagesOfApis({ apiId }: MadeWorld): string[] {
  const api = `/api-management/${apiId}`;
  const operation = "method=post&path=%2Fbooks";
  return [
    "/api-management/list",
    "/api-management/list?query=nothing-fits-this",
    "/api-management/register",
    `${api}/details`,
    `${api}/details?dialog=delete`,
    `${api}/details/authentication`,
    `${api}/details/problems`,
    `${api}/details/edit`,
    `${api}/details/environments`,
    `${api}/details/import`,
    `${api}/details/watch`,
    `${api}/details/watch?dialog=end`,
    `${api}/dependencies`,
    `${api}/swagger`,
    `${api}/swagger/operations`,
    `${api}/swagger/operation?${operation}`,
  ];
}

function watchPages(world: MadeWorld): string[] {
  const channel = `/test-management/alert-channels/${world.channelId}`;
  const incident = `/test-management/incidents/${world.incidentId}`;
  return [
    "/test-management/select-api",
    "/test-management/alert-channels",
    "/test-management/alert-channels/create",
    channel,
    `${channel}?dialog=delete`,
    `${channel}/deliveries/${world.deliveryId}`,
    "/test-management/test-circles/list",
    "/test-management/test-circles/create",
    "/test-management/failing-tests",
    "/test-management/runs",
    "/test-management/incidents",
    "/test-management/incidents?state=muted",
    incident,
    `${incident}?dialog=mute`,
    `${incident}?dialog=resolve`,
    "/test-management/alert-rules",
    "/test-management/certificates",
    "/test-management/schedules",
    "/test-management/schedules?week=2028-02-28&dialog=renewCalendar",
    "/test-management/maintenance-windows",
    "/test-management/maintenance-windows/create",
    `/test-management/maintenance-windows/${world.maintenanceWindowId}/edit`,
    `/test-management/maintenance-windows/${world.maintenanceWindowId}/edit?dialog=delete`,
  ];
}

function pagesOfTests({ apiId, testId, executionId, runId, ...world }: MadeWorld): string[] {
  const tests = `/test-management/${apiId}`;
  const circlePages = `${tests}/test-circles/${world.circleId}`;
  return [
    `${tests}/alert-rules`,
    `${tests}/alert-rules?dialog=delete`,
    `${circlePages}/alert-rules`,
    `${tests}/test-circles/list?dialog=delete&testCircleId=${world.circleId}`,
    `${tests}/test-circles/executions/list`,
    circlePages,
    `${circlePages}?range=90d`,
    `${circlePages}/status-page`,
    `${circlePages}/status-page?dialog=close`,
    `${circlePages}/status-page/subscribers`,
    `/status/${world.statusAddress}`,
    `/status-updates/${world.statusAddress}`,
    `/status-updates/${world.statusAddress}?sent`,
    `${circlePages}/service-level`,
    `${circlePages}/service-level?dialog=delete`,
    `${circlePages}/edit`,
    `${circlePages}/executions/list`,
    `${circlePages}/executions/${world.circleRunId}/results`,
    `${circlePages}/schedules/create`,
    `${circlePages}/schedules/${world.scheduleId}/edit?dialog=delete`,
    `${circlePages}/schedules/${world.scheduleId}/edit`,
    `${tests}/manage`,
    `${tests}/manage?range=90d`,
    `${tests}/marks`,
    `${tests}/explorations`,
    `${tests}/explorations/${world.explorationId}`,
    `${tests}/runs`,
    `${tests}/runs?verdict=passed`,
    `${tests}/runs/${runId}`,
    `${tests}/runs/${world.circleRunId}/comparison?show=all`,
    `${tests}/tests`,
    `${tests}/tests?dialog=delete&testId=${testId}`,
    `${tests}/tests/proposals`,
    `${tests}/export?testId=${testId}&format=hurl`,
    `${tests}/tests/import`,
    `${tests}/tests/make`,
    `${tests}/tests/create/%2Fbooks/post`,
    `${tests}/tests/${testId}/edit`,
    `${tests}/tests/${testId}/executions/list`,
    `${tests}/tests/${testId}/executions/${executionId}/results`,
    `${tests}/tests/${testId}/executions/${executionId}/verifications`,
  ];
}

test.describe.configure({ mode: "parallel" });

/** Created once for the tests of a worker, which only read it. */
let world: Promise<MadeWorld> | undefined;

const areas: [string, (world: MadeWorld) => string[]][] = [
  ["of tests and circles", pagesOfTests],
  ["of accounts, administration and billing", accountPages],
  ["of APIs, alerts and schedules", (made) => [...pagesOfApis(made), ...watchPages(made)]],
];

for (const [name, getPages] of areas) {
  test(`axe finds nothing on the pages ${name}, in light and dark, wide and narrow`, async ({
    signedIn,
    portal,
    targetApi,
  }) => {
    world ??= makeWorld(portal, targetApi);
    await visitAll(signedIn, getPages(await world));
  });
}

test("axe finds nothing on the pages of visitors, in light and dark, wide and narrow", async ({ page, portal }) => {
  await visitAll(page, [...publicPages, ...(await mailedPages(portal))]);
});
