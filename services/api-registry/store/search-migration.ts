import { type Kysely, sql } from "kysely";
import type { AnyTables } from "../../kit/database/database.ts";
import { createWordsFunction, indexWords } from "../../kit/database/likely-search.ts";
import { searchedApis, searchedOperations, selectOperationWords } from "./search.ts";
import { schemaName } from "./tables.ts";

const table = (name: string) => sql.id(schemaName, name);

/**
 * Finds APIs, and operations of their current documents, by words. The words of operations have rows of their own, so
 * that earlier documents are not searched. An import writes them with its content; the trigger covers whatever else
 * changes which document is current, such as undoing a change.
 */
export async function findApisByWords(db: Kysely<AnyTables>): Promise<void> {
  await createWordsFunction(db, schemaName);
  await indexWords(db, searchedApis);
  await sql`
    create table ${table("operation_words")} (
      organization_id uuid not null,
      document_id uuid not null,
      position integer not null,
      key text collate "C" not null,
      words text not null,
      primary key (document_id, position)
    )`.execute(db);
  const renew = table("renew_operation_words");
  await sql`
    create function ${renew}() returns trigger language plpgsql as $$
    begin
      if tg_op <> 'INSERT' then
        delete from ${table("operation_words")} where document_id = old.current_document_id;
      end if;
      if tg_op = 'DELETE' then return null; end if;
      if not exists (select from ${table("operation_words")} where document_id = new.current_document_id) then
        insert into ${table("operation_words")}
        ${selectOperationWords(
          sql`new.organization_id`,
          sql`
          (select * from ${table("operations")} where document_id = new.current_document_id) operation`,
        )};
      end if;
      return null;
    end $$`.execute(db);
  await sql`
    create trigger renew_operation_words_of_one after insert or delete on ${table("apis")} for each row
    execute function ${renew}()`.execute(db);
  await sql`
    create trigger renew_operation_words after update of current_document_id on ${table("apis")} for each row
    when (old.current_document_id is distinct from new.current_document_id)
    execute function ${renew}()`.execute(db);
  await sql`
    insert into ${table("operation_words")}
    ${selectOperationWords(
      sql`operation.organization_id`,
      sql`
      (select apis.organization_id, operations.* from ${table("apis")} apis
       join ${table("operations")} operations on operations.document_id = apis.current_document_id) operation`,
    )}`.execute(db);
  await indexWords(db, searchedOperations);
  await sql`create index operation_words_key on ${table("operation_words")} (organization_id, key)`.execute(db);
}
