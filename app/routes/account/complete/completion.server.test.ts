import { expect, test } from "vitest";
import { accepted, formRequest, refusal, visitorContext } from "~/session/testing/visitor-context";
import { actOnCompletion, loadCompletion } from "./completion.server";
import { registrationCalls } from "./registration-calls.server";

const path = "/complete-individual-account-registration";
const account = {
  intent: "createAccount",
  token: "t0ken",
  code: "123 456",
  fullName: "Ada Lovelace",
  username: "ada",
  password: "wooden spoon in the garden",
};
const ended = refusal({ status: 404, code: "not_found", detail: "The link has ended." });

const act = (fields: Record<string, string>, calls: Parameters<typeof visitorContext>[0]) =>
  actOnCompletion(
    { request: formRequest(`${path}?token=t0ken`, fields), context: visitorContext(calls), params: {} },
    registrationCalls,
  );
const getPlace = (reply: unknown) => (reply as Response).headers.get("location");

test("the first code leads to the form that takes it, at an address that can be reopened", async () => {
  const reply = await act(
    { intent: "sendCode", token: "t0ken" },
    { sendRegistrationCode: async () => accepted({}, 202) },
  );
  expect(getPlace(reply)).toBe(`${path}?token=t0ken&code=sent`);
});

test("requesting another code keeps the input, however incomplete", async () => {
  const reply = await act(
    { ...account, intent: "sendCode", code: "", username: "" },
    { sendRegistrationCode: async () => accepted({}, 202) },
  );
  expect(reply).toMatchObject({ data: { status: "success", initialValue: { fullName: "Ada Lovelace" } } });
});

test("the account is created from the input, blanks in the code are ignored, and the login page shows its name", async () => {
  const reply = await act(account, {
    createAccount: async ({ body }: { body: typeof account }) => {
      expect(body.code).toBe("123456");
      return accepted({ id: "1", username: body.username }, 201);
    },
  });
  expect(getPlace(reply)).toBe("/login?registered=ada");
});

test("a login that needs more than the password leads to the login page, although cookies are accepted", async () => {
  const request = formRequest(`${path}?token=t0ken`, account);
  request.headers.set("cookie", "cookiesAccepted=Y");
  const context = visitorContext({
    createAccount: async () => accepted({ id: "1", username: "ada" }, 201),
    login: async () => refusal({ status: 401, code: "second_factor_required", detail: "A code is needed." }),
  });
  expect(getPlace(await actOnCompletion({ request, context, params: {} }, registrationCalls))).toBe(
    "/login?registered=ada",
  );
});

test("an error reported by the service appears at its field", async () => {
  const errors = [{ path: "username", message: "This username is taken." }];
  const reply = await act(account, {
    createAccount: async () => refusal({ status: 422, code: "invalid_input", detail: "", errors }),
  });
  expect(reply).toMatchObject({ init: { status: 422 }, data: { error: { username: ["This username is taken."] } } });
});

test("a link that expired in the meantime leads to the page that explains it", async () => {
  expect(getPlace(await act(account, { createAccount: async () => ended }))).toBe(`${path}?token=t0ken`);
});

test("a dead link and an address without a token get a page, not an error", async () => {
  for (const search of ["", "?token=ended"]) {
    const request = new Request(`http://localhost${path}${search}`);
    const context = visitorContext({ getRegistration: async () => ended });
    expect(await loadCompletion({ request, context, params: {} }, registrationCalls)).toMatchObject({
      data: { offer: undefined },
      init: { status: 404 },
    });
  }
});
