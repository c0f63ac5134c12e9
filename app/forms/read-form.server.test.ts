import { expect, test } from "vitest";
import { readForm } from "./read-form.server";

const post = (body: string | undefined, type?: string) =>
  new Request("https://portal.test/signout", { method: "POST", body, headers: type ? { "content-type": type } : {} });

async function getStatus(request: Request): Promise<number> {
  return await readForm(request).then(
    () => 200,
    (thrown: Response) => thrown.status,
  );
}

test("a form is read, also one without fields", async () => {
  expect((await readForm(post("a=1", "application/x-www-form-urlencoded;charset=UTF-8"))).get("a")).toBe("1");
  expect(await getStatus(post("", "application/x-www-form-urlencoded"))).toBe(200);
  expect(
    await getStatus(
      post('--x\r\ncontent-disposition: form-data; name="a"\r\n\r\n1\r\n--x--\r\n', "multipart/form-data; boundary=x"),
    ),
  ).toBe(200);
});

test.each([
  ["{}", "application/json", 415],
  ["a=1", "text/plain", 415],
  ["a=1", "application/x-www-form-urlencodedish", 415],
  [undefined, undefined, 415],
  ["no parts", "multipart/form-data; boundary=x", 400],
  ["--x\r\n", "multipart/form-data", 400],
])("a body that is no form is a client error: %j as %s", async (body, type, status) => {
  expect(await getStatus(post(body, type))).toBe(status);
});
