import { expect, test } from "vitest";
import { choosePlan, fakeContext } from "~/features/notifications/testing/fake-context";
import { action } from "./notifications";

const { id } = choosePlan;

/** Submits a choice as the modal does, or with fields of another form. */
async function send(world: ReturnType<typeof fakeContext>, fields: Record<string, string>) {
  const request = new Request(`https://portal.test/notifications/${id}`, {
    method: "POST",
    body: new URLSearchParams({ returnTo: "/api-management/list", modal: "yes", ...fields }),
  });
  const parts = { request, params: { notificationId: id }, context: world.context } as unknown;
  const response = (await action(parts as Parameters<typeof action>[0])) as Response;
  return [response.status, response.headers.get("location")];
}

test("Skip skips for a day and leads back, where the next one opens", async () => {
  const world = fakeContext({ answer: choosePlan });
  expect(await send(world, { intent: "skip" })).toEqual([303, "/api-management/list"]);
  expect(world.calls).toEqual([["skipNotification", { params: { notificationId: id } }]]);
  expect(world.session.announce).toBe("later");
});

test("Don't Show Again sets the state to skipped and leads back", async () => {
  const world = fakeContext({ answer: choosePlan });
  expect(await send(world, { intent: "dismiss" })).toEqual([303, "/api-management/list"]);
  const input = { params: { notificationId: id }, body: { state: "SKIPPED" } };
  expect(world.calls).toEqual([["setNotificationState", input]]);
  expect(world.session.announce).toBe("later");
});

test("Continue sets the state to pending and goes where its action leads", async () => {
  const world = fakeContext({ answer: { ...choosePlan, state: "PENDING" } });
  expect(await send(world, { intent: "continue" })).toEqual([303, `/?user-notification-id=${id}#pricing`]);
  expect(world.calls[0]?.[1]).toMatchObject({ body: { state: "PENDING" } });
  expect(world.session.announce).toBeUndefined();
});

test("a choice that could not be stored is logged and reported, and the modal opens again", async () => {
  for (const intent of ["skip", "dismiss", "continue"]) {
    const world = fakeContext({ refusal: 503 });
    expect(await send(world, { intent })).toEqual([303, "/api-management/list"]);
    expect(world.logged).toEqual(["error: an answer to a notification could not be kept"]);
    expect(world.session.takeToasts()).toMatchObject([{ variant: "danger", title: "Error" }]);
    expect(world.session.announce).toBe("now");
  }
});

test("a notification that was settled in another tab is reported, and the next one opens", async () => {
  for (const refusal of [404, 409]) {
    const world = fakeContext({ refusal });
    await send(world, { intent: "continue" });
    expect(world.session.takeToasts()).toMatchObject([{ variant: "info" }]);
    expect(world.session.announce).toBe("later");
    expect(world.logged).toEqual([]);
  }
});

test("a notice of the dashboard is dismissed without opening anything", async () => {
  const request = new Request(`https://portal.test/notifications/${id}`, {
    method: "POST",
    body: new URLSearchParams({ returnTo: "/dashboard", intent: "dismiss" }),
  });
  const world = fakeContext({ answer: choosePlan });
  await action({ request, params: { notificationId: id }, context: world.context } as unknown as Parameters<
    typeof action
  >[0]);
  expect(world.session.announce).toBeUndefined();
});

test("W03: it leads back to own pages only, and an unknown choice changes nothing", async () => {
  const world = fakeContext({ answer: choosePlan });
  expect(await send(world, { intent: "skip", returnTo: "//evil.example" })).toEqual([303, "/dashboard"]);
  world.calls.length = 0;
  expect(await send(world, { intent: "FAILED" })).toEqual([303, "/api-management/list"]);
  expect(world.calls).toEqual([]);
});

test("a session that has ended goes to sign-in", async () => {
  const thrown = await send(fakeContext({ refusal: 401 }), { intent: "skip" }).catch((response: Response) => response);
  expect((thrown as Response).status).toBe(401);
});
