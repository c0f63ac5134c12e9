import pg from "pg";

/** Counts and versions are numbers in this product; none comes near 2^53. */
export const numberTypes = new pg.TypeOverrides();
numberTypes.setTypeParser(pg.types.builtins.INT8, Number);
numberTypes.setTypeParser(pg.types.builtins.NUMERIC, Number);
