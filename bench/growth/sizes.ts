import { sql } from "kysely";
import type { Database } from "../../services/kit/database/database.ts";
import { schemaName } from "../../services/test-executioner/store/tables.ts";

export interface TableSize {
  name: string;
  rows: number;
  rowBytes: number;
  indexes: number;
  indexBytes: number;
}

/** The executioner's tables that are not empty, partitions counted to their table. */
export async function listSizes({ kysely }: Database): Promise<TableSize[]> {
  const { rows } = await sql<TableSize>`
    select coalesce(parent.relname, part.relname) as name, sum(greatest(part.reltuples, 0))::int as rows,
      sum(pg_table_size(part.oid))::float8 as "rowBytes",
      max((select count(*) from pg_index where indrelid = part.oid))::int as indexes,
      sum(pg_indexes_size(part.oid))::float8 as "indexBytes"
    from pg_class part
    left join pg_inherits on inhrelid = part.oid
    left join pg_class parent on parent.oid = inhparent
    where part.relnamespace = ${schemaName}::regnamespace and part.relkind = 'r'
    group by 1 having sum(greatest(part.reltuples, 0)) > 0
    order by sum(pg_total_relation_size(part.oid)) desc`.execute(kysely);
  return rows;
}
