import { expect, test } from "vitest";
import { accepted, formRequest, refusal, visitorContext } from "~/session/testing/visitor-context";
import { loadRequestForm, requestAccount } from "./request-account.server";

const typed = { email: "ada@example.com", serviceId: "team", organizationName: "Bookshop", recaptchaToken: "" };

function send(fields: Record<string, string>, result: unknown, kind: "individual" | "organization" = "organization") {
  const sent: unknown[] = [];
  const context = visitorContext({
    createRegistrationRequest: async (input) => {
      sent.push(input);
      return result;
    },
  });
  const request = formRequest(`/create-account-${kind}`, fields);
  return requestAccount({ request, context, params: {} }, kind).then((reply) => ({ reply, sent }));
}

test("the request is sent with the visitor's address, and leads to the page that explains the mail", async () => {
  const { reply, sent } = await send(typed, accepted({}, 202));
  expect(sent).toEqual([
    {
      headers: { "x-client-address": "203.0.113.7" },
      body: { email: "ada@example.com", serviceId: "team", organizationName: "Bookshop", recaptchaToken: undefined },
    },
  ]);
  expect((reply as Response).headers.get("location")).toBe("/create-account-organization-success");
});

test("an individual has no organization, whatever the form sends", async () => {
  const { sent } = await send(typed, accepted({}, 202), "individual");
  expect(sent).toMatchObject([{ body: { email: "ada@example.com" } }]);
  expect((sent[0] as { body: object }).body).not.toHaveProperty("organizationName");
});

test("deciding on a plan later sends no plan", async () => {
  const { sent } = await send({ ...typed, serviceId: "" }, accepted({}, 202));
  expect((sent[0] as { body: { serviceId?: string } }).body.serviceId).toBeUndefined();
});

test("the response of a provider's widget is sent as the human check", async () => {
  const { sent } = await send({ ...typed, "g-recaptcha-response": "by-widget" }, accepted({}, 202));
  expect(sent).toMatchObject([{ body: { recaptchaToken: "by-widget" } }]);
});

test.each([
  { status: 429, code: "too_many_requests", detail: "Too many forms came from your network. Wait 12 minutes." },
  { status: 503, code: "service_unavailable", detail: "This installation sends no mail yet: MAIL_URL is not set." },
] as const)("a refusal with $status shows the service's sentence and keeps the input", async (problem) => {
  const { reply } = await send(typed, refusal(problem));
  expect(reply).toMatchObject({
    init: { status: problem.status },
    data: { error: { "": [problem.detail] }, initialValue: { email: "ada@example.com", organizationName: "Bookshop" } },
  });
});

test("an unknown plan is reported at the plan field", async () => {
  const errors = [{ path: "serviceId", message: "No such plan." }];
  const { reply } = await send(typed, refusal({ status: 422, code: "invalid_input", detail: "", errors }));
  expect(reply).toMatchObject({ data: { error: { serviceId: ["No such plan."] } } });
});

test("the form is shown without plans and without a check while their services are away", async () => {
  const away = async () => refusal({ status: 503, code: "service_unavailable", detail: "" });
  const context = visitorContext({ listPricing: away, getHumanCheck: away });
  const request = new Request("http://localhost/create-account-individual?serviceId=team");
  expect(await loadRequestForm({ request, context, params: {} })).toEqual({
    plans: undefined,
    check: undefined,
    serviceId: "team",
  });
});
