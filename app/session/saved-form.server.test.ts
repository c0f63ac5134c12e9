import { expect, test } from "vitest";
import { createFormKeeper, holdForm } from "./saved-form.server.ts";

const address = "https://portal.test/administration/credentials/create";
const [own, other] = ["own-account", "other-account"];

/** A portal-service that returns any stored form to any caller. */
function careless() {
  const sealed: string[] = [];
  const portalService = {
    keepForm: async ({ body }: { body: { sealed: string } }) => ({
      ok: true,
      value: { id: String(sealed.push(body.sealed) - 1) },
    }),
    getKeptForm: async ({ params }: { params: { formId: string } }) => ({
      ok: true,
      value: { sealed: sealed[Number(params.formId)] },
    }),
  };
  return { sealed, store: { portalService } as never };
}

const post = (body: BodyInit, headers: Record<string, string> = {}) =>
  new Request(address, { method: "POST", body, headers });

test("a form is opened for its account and page only, by every portal that has the key", async () => {
  const { sealed, store } = careless();
  const id = await createFormKeeper("key").keep(post(new URLSearchParams({ name: "Orders" })), own, store);
  const another = createFormKeeper("key");
  const { pathname } = new URL(address);
  expect(await another.find(id!, pathname, own, store)).toMatchObject({ entries: [["name", "Orders"]] });
  expect(await another.find(id!, pathname, other, store)).toBeUndefined();
  expect(await another.find(id!, "/profile", own, store)).toBeUndefined();
  expect(await createFormKeeper("other key").find(id!, pathname, own, store)).toBeUndefined();
  expect(sealed.join()).not.toContain("Orders");
});

test("neither secrets nor files nor the pressed button are stored, and the result says so", async () => {
  const { store } = careless();
  const form = new FormData();
  form.append("tags", "a");
  form.append("tags", "b");
  form.append("secret", "canary");
  form.append("intent", "delete");
  form.append("document", new File(["openapi: 3.1.0"], "openapi.yaml"));
  const keeper = createFormKeeper("key");
  const id = await keeper.keep(post(form), own, store);
  expect(await keeper.find(id!, new URL(address).pathname, own, store)).toEqual({
    entries: [
      ["tags", "a"],
      ["tags", "b"],
    ],
    hadFiles: true,
    hadSecrets: true,
    while: "signed_out",
  });
});

test("only forms of pages that need a sign-in are buffered, and only up to the storage limit", async () => {
  const form = { "content-type": "application/x-www-form-urlencoded", "content-length": "4" };
  const held = await holdForm(post("a=b", form));
  expect([await held.again().text(), await held.again().text()]).toEqual(["a=b", "a=b"]);
  expect(await holdForm(post("a=b", { ...form, "content-length": String(3 * 1_048_576) }))).toMatchObject({
    isForm: true,
    isHeld: false,
  });
  expect(await holdForm(post("{}", { "content-type": "application/json" }))).toMatchObject({ isHeld: false });
  expect(await holdForm(post("a=b", { ...form, "sec-fetch-mode": "cors" }))).toMatchObject({ isForm: false });
  const login = new Request("https://portal.test/login", { method: "POST", body: "a=b", headers: form });
  expect(await holdForm(login)).toMatchObject({ isForm: false });
});
