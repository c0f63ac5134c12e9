import { z } from "@hono/zod-openapi";
import { orNone } from "../../kit/or-none.ts";
import { isOneLine } from "./credential-type.ts";

export const userName = {
  username: orNone(z.string().max(500)).describe("Basic and Digest: the user name."),
};

/** Both schemes join name and password by a colon (RFC 7617, RFC 7616). */
export function checkUserName(
  { username = "" }: { username?: string },
  report: (field: "username", message: string) => void,
): void {
  if (username === "") report("username", "Enter the user name");
  else if (username.includes(":")) report("username", "A user name can't contain a colon");
  else if (!isOneLine(username)) report("username", "A user name is one line of text");
}
