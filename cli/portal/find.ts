import { CommandError, exitCodes } from "../exit-codes.ts";
import type { Connection } from "./connection.ts";

interface Named {
  id: string;
  name: string;
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

const kinds = {
  api: { service: "api-registry", path: "/api/v1/apis", one: "API", several: "APIs" },
  circle: { service: "test-registry", path: "/api/v1/test-circles", one: "circle", several: "circles" },
} as const;

/**
 * The API or circle of an id or a name: as it is written, or else in any case.
 * @throws CommandError with names that are like it
 */
export async function find(connection: Connection, kind: keyof typeof kinds, wanted: string): Promise<Named> {
  const { service, path, one, several } = kinds[kind];
  if (uuid.test(wanted)) return await connection.call<Named>(service, `${path}/${wanted}`);
  const isNamed = ({ name }: Named) => name.toLowerCase() === wanted.toLowerCase();
  const found = await connection.all<Named>(service, path, { query: wanted });
  const inAnyCase = found.filter(isNamed);
  const asWritten = inAnyCase.filter(({ name }) => name === wanted);
  const exact = asWritten.length > 0 ? asWritten : inAnyCase;
  if (exact.length === 1) return exact[0]!;
  const list = (items: Named[]) => items.slice(0, 10).map(({ name, id }) => `  ${name}  ${id}`);
  if (exact.length > 1)
    throw new CommandError(
      exitCodes.usage,
      [`Several ${several} have the name "${wanted}". Enter the id:`, ...list(exact)].join("\n"),
    );
  const like = found.length > 0 ? found : await connection.all<Named>(service, path);
  throw new CommandError(
    exitCodes.usage,
    like.length > 0
      ? [`No ${one} has the name "${wanted}". There are:`, ...list(like)].join("\n")
      : `No ${one} has the name "${wanted}", and there is no other one.`,
  );
}
