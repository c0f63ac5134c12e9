import { CommandError, exitCodes } from "../exit-codes.ts";
import type { Connection } from "../portal/connection.ts";
import { find } from "../portal/find.ts";
import { isKey, pullObjects } from "./portal-code.ts";

/**
 * The key of an API by its key, name or id.
 * @throws CommandError with names that are like it
 */
export async function findApiKey(connection: Connection, wanted: string): Promise<string> {
  if (isKey.test(wanted) && (await pullObjects(connection, wanted)).length > 0) return wanted;
  const { id } = await find(connection, "api", wanted);
  const object = (await pullObjects(connection)).find((one) => one.kind === "api" && one.id === id);
  if (object) return object.key;
  throw new CommandError(exitCodes.usage, `The API ${wanted} has been deleted.`);
}
