import { expect, test } from "vitest";
import type { PortalContext } from "./context";
import { findViewer, requireScope, requireViewer } from "./guards";

const request = new Request("https://portal.test/api-management/list?query=a");

function getContext(scopes: string[] | undefined, session: object = {}) {
  const callers: object[] = [];
  const context = {
    session: { auth: scopes && { accessToken: "token", scopes }, ...session },
    requestId: "r1",
    connect: (caller: object) => callers.push(caller),
  } as unknown as PortalContext;
  return { context, callers };
}

test("a visitor is redirected to sign-in, which remembers the page", async () => {
  const { context } = getContext(undefined);
  expect(findViewer(context)).toBeUndefined();
  const thrown = await requireViewer(request, context).catch((response: Response) => response);
  expect(thrown).toBeInstanceOf(Response);
  const response = thrown as Response;
  expect([response.status, response.headers.get("location")]).toEqual([
    303,
    "/login?redirectTo=%2Fapi-management%2Flist%3Fquery%3Da",
  ]);
});

test("a viewer's calls carry their own token and the page's request id", async () => {
  const { context, callers } = getContext(["apis:read"]);
  const viewer = await requireViewer(request, context);
  expect(callers).toEqual([{ token: "token", requestId: "r1" }]);
  expect([viewer.may("apis:read"), viewer.may("apis:write")]).toEqual([true, false]);
});

test("without the scope a page needs, the answer is 403 with the catalogue's sentence", async () => {
  const { context } = getContext(["apis:read"]);
  await expect(requireViewer(request, context)).resolves.toBeDefined();
  const writing = new Request("https://portal.test/api-management/register");
  const response = (await requireViewer(writing, context).catch((caught: Response) => caught)) as Response;
  expect(response.status).toBe(403);
  expect(await response.json()).toMatchObject({ detail: "You don't have permission to access this resource" });
});

test("one of several actions of a form may need its own scope", async () => {
  const { context } = getContext(["apis:read", "tests:run"]);
  const viewer = await requireViewer(request, context);
  expect(requireScope(viewer, "tests:run")).toBeUndefined();
  expect(() => requireScope(viewer, "tests:write")).toThrow();
});

test("while the validity of a session is unknown, its page is unavailable and no redirect to sign-in happens", async () => {
  const { context, callers } = getContext(["apis:read"], { isUndecided: true });
  expect(findViewer(context)).toBeUndefined();
  const response = (await requireViewer(request, context).catch((caught: Response) => caught)) as Response;
  expect(response.status).toBe(503);
  expect(await response.json()).toMatchObject({ service: "security-service" });
  expect(callers).toEqual([]);
});
