import type { KyselyPlugin } from "kysely";
import type { Database } from "../../kit/database/database.ts";

/** The same database that records every statement: as SQL without its values, or `raw` for one given as text. */
export function watchStatements(database: Database): { database: Database; statements: string[] } {
  const statements: string[] = [];
  const built = new WeakMap<object, string>();
  const executor = database.kysely.getExecutor();
  const plugin: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      built.set(queryId, executor.compileQuery(node, queryId).sql);
      return node;
    },
    async transformResult({ result, queryId }) {
      statements.push(built.get(queryId) ?? "raw");
      return result;
    },
  };
  const kysely = database.kysely.withPlugin(plugin);
  return {
    statements,
    database: {
      ...database,
      kysely,
      inSchema: <Tables>(schema: string) => kysely.withSchema(schema) as ReturnType<typeof database.inSchema<Tables>>,
    },
  };
}
